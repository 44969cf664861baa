/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TORUS_GEOMETRY_H
#define TORUS_GEOMETRY_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A slice of a machine of cubes that circuit switches join to tori, as those of TPU v4
 * (Jouppi et al., ISCA 2023).
 *
 * Port x + kx (y + ky z) is at the place x, y, z. A cube has 4 x 4 x 4 ports, with links between
 * neighbours inside. Each of its 6 faces has 16 more links, to circuit switches: those at the same
 * position of opposite faces lead to the same switch, so that there are 16 switches for each axis.
 * A switch joins the upper face of each cube with the lower face of one cube.
 *
 * A slice has whole cubes; all its axes are rings. Smaller slices are a part of a cube, in which no
 * axis is a ring.
 *
 * In a twisted torus, whose axes have n or 2n ports, the ring of each short axis leads on to the
 * place n further along each long axis (Camarero, Martinez and Beivide, 2015, have such lattices):
 * circuit switches only join other cubes.
 */
class TorusGeometry
{
  public:
    /// Number of axes.
    static constexpr uint32_t AXES = 3;

    /// Ports along each axis of a cube.
    static constexpr uint32_t CUBE = 4;

    /// Links of a face of a cube, and circuit switches of an axis.
    static constexpr uint32_t FACE = CUBE * CUBE;

    /// No port.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// A number for each axis.
    using Triple = std::array<uint32_t, AXES>;

    /**
     * @param text sizes of axes, like 4x4x8
     * @return the sizes; std::invalid_argument refuses any other text
     */
    static Triple ParseShape(const std::string& text);

    /**
     * @param shape sizes of axes
     * @return their text, like 4x4x8
     */
    static std::string GetText(const Triple& shape);

    /**
     * @param nPorts the number of ports
     * @return the slice that is nearest to a cube, in ascending order of sizes; sizes of 0 if none
     *         has this number of ports
     */
    static Triple GetDefaultShape(uint32_t nPorts);

    /**
     * @param shape sizes of axes
     * @param isTwisted whether the torus is twisted
     * @return empty if there is such a slice; otherwise the sentence that says why not
     */
    static std::string Check(const Triple& shape, bool isTwisted);

    /**
     * @param shape sizes of axes, which Check() has accepted
     * @param isTwisted whether the torus is twisted
     */
    TorusGeometry(const Triple& shape, bool isTwisted);

    /**
     * @return the number of ports
     */
    uint32_t GetNPorts() const;

    /**
     * @return true if the slice has whole cubes
     */
    bool HasCubes() const;

    /**
     * @return the number of cubes; 0 for a part of one
     */
    uint32_t GetNCubes() const;

    /**
     * @param port a port
     * @return its place
     */
    Triple GetPlace(uint32_t port) const;

    /**
     * @param place a place
     * @return its port
     */
    uint32_t GetPort(const Triple& place) const;

    /**
     * @param port a port
     * @param axis an axis
     * @return the next port up this axis; NONE at the end of a part of a cube
     */
    uint32_t GetNext(uint32_t port, uint32_t axis) const;

    /**
     * @param port a port
     * @param axis an axis
     * @return the number of the circuit switch through which the next port up this axis is reached,
     *         FACE axis + position; NONE inside a cube
     */
    uint32_t GetSwitch(uint32_t port, uint32_t axis) const;

    /**
     * @param port a port
     * @return the number of its cube
     */
    uint32_t GetCube(uint32_t port) const;

    /**
     * @param number the number of a circuit switch
     * @return for each cube, the one whose lower face its upper face is joined with
     */
    std::vector<uint32_t> GetCircuits(uint32_t number) const;

  private:
    Triple m_shape;   //!< Ports along each axis
    bool m_isTwisted; //!< Whether it is twisted
};

} // namespace lightpath
} // namespace ns3

#endif /* TORUS_GEOMETRY_H */
