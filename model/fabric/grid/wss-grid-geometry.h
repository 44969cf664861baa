/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WSS_GRID_GEOMETRY_H
#define WSS_GRID_GEOMETRY_H

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A grid of ports with a switch for each row and each column, the transceivers of its ports,
 * and the failures.
 *
 * Port p is in row p / columns and column p % columns. It has the same number of transceivers for
 * its row and for its column.
 */
class WssGridGeometry
{
  public:
    /// The switch of a port that a transceiver is at.
    enum Direction
    {
        ROW,    //!< The switch of the row of the port
        COLUMN, //!< The switch of the column of the port
    };

    /// A transmitter or a receiver of a port.
    struct Transceiver
    {
        uint32_t port{0};         //!< The port
        Direction direction{ROW}; //!< The switch that it is at
        uint32_t index{0};        //!< Its number among those of the port at this switch
    };

    /// The number of components of each kind.
    struct Size
    {
        uint32_t rows{1};         //!< Rows
        uint32_t columns{1};      //!< Columns
        uint32_t transceivers{1}; //!< Transceivers of a port at each of its switches
        uint32_t ports{0};        //!< Ports
    };

    /// Directions of a port.
    static constexpr uint32_t DIRECTIONS = 2;

    WssGridGeometry() = default;

    /**
     * @param size the size of the grid
     */
    explicit WssGridGeometry(const Size& size);

    /**
     * @return the size of the grid
     */
    const Size& GetSize() const;

    /**
     * @param size the size of the grid, which resets all failures
     */
    void SetSize(const Size& size);

    /**
     * @param port a port
     * @param direction one of its switches
     * @return the number of this switch among those of the rows, or of the columns
     */
    uint32_t GetGroup(uint32_t port, Direction direction) const;

    /**
     * @param port a port
     * @param direction one of its switches
     * @return the number of the port among the members of this switch
     */
    uint32_t GetMember(uint32_t port, Direction direction) const;

    /**
     * @param direction rows or columns
     * @param group one of their switches
     * @param member a member of it
     * @return its port, which may not exist
     */
    uint32_t GetPortAt(Direction direction, uint32_t group, uint32_t member) const;

    /**
     * @return the number of transmitters of all ports, and of receivers
     */
    uint32_t GetNTransceivers() const;

    /**
     * @param transceiver a transmitter, or a receiver
     * @return its index among all
     */
    uint32_t GetIndex(const Transceiver& transceiver) const;

    /**
     * @param index the index of a transmitter, or of a receiver, among all
     * @return the transmitter, or the receiver
     */
    Transceiver GetTransceiver(uint32_t index) const;

    /**
     * Mark a component as failed, or as repaired. An unknown name ends the program with a message
     * that lists the known names.
     *
     * @param component "row:R" or "column:C", a switch; "laser:P:row", "laser:P:column",
     *        "receiver:P:row" or "receiver:P:column", the transmitters or receivers of port P at a
     *        switch; "laser:P:I:row" and so on, the one with index I
     * @param failed true for a failure, false for a repair
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * As SetFailed(), for a name that may belong to no component.
     *
     * @param component the name of the component
     * @param failed true to take it out of use, false to mend it
     * @return empty if the grid has it; otherwise the sentence that lists the known ones
     */
    [[nodiscard]] std::string TrySetFailed(const std::string& component, bool failed);

    /**
     * @param source a port
     * @param destination another port
     * @param direction the switch by which to go
     * @param index the transceivers to use
     * @return true if both ports are at this switch, and the switch and both transceivers work
     */
    bool AreJoined(uint32_t source,
                   uint32_t destination,
                   Direction direction,
                   uint32_t index) const;

  private:
    Size m_size; //!< The number of components of each kind

    std::array<std::set<uint32_t>, DIRECTIONS> m_failedSwitches; //!< Failed switches
    std::vector<bool> m_deadLasers;                              //!< Failed transmitters
    std::vector<bool> m_deadReceivers;                           //!< Failed receivers
};

} // namespace lightpath
} // namespace ns3

#endif /* WSS_GRID_GEOMETRY_H */
