/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VALIANT_DISCIPLINE_H
#define VALIANT_DISCIPLINE_H

#include "rotor-discipline.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The discipline of Sirius (Ballani et al., SIGCOMM 2020): everything goes through another
 * port drawn at random, which agrees to it one epoch before.
 *
 * An epoch is a cycle of the schedule, and a cell the bytes of a slot. At the beginning of an epoch
 * a port requests, from each other port in random order, to forward one of its cells; its
 * destinations take turns. A port accepts a cell unless QueueCells for the same destination are
 * stored or accepted. The cell is sent in the next epoch, or in the first after that in which
 * nothing is stored for the port that it goes through: stored cells go first.
 */
class ValiantDiscipline : public RotorDiscipline
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ValiantDiscipline();

    bool SendsDirect() const override
    {
        return false;
    }

    void Decide(uint32_t slot,
                const std::vector<Contact>& contacts,
                uint64_t capacity,
                const RotorQueues& queues,
                std::vector<Grant>& grants) override;
    int64_t AssignStreams(int64_t stream) override;
    Ptr<RotorDiscipline> Begin() override;

  private:
    /**
     * Request to send the cells of a port through others.
     *
     * @param source the port
     * @param capacity the bytes of a cell
     * @param queues what waits
     */
    void Request(uint32_t source, uint64_t capacity, const RotorQueues& queues);

    /**
     * @param source a port
     * @param peer another port
     * @return the destination of the cell that the one may send through the other; NONE for none
     */
    uint32_t& GetAccepted(uint32_t source, uint32_t peer)
    {
        return m_accepted[source * m_nPorts + peer];
    }

    static constexpr uint32_t NONE = UINT32_MAX; //!< No port

    uint32_t m_queueCells;                //!< Most cells for one destination
    uint32_t m_nPorts{0};                 //!< Number of ports
    std::vector<uint32_t> m_accepted;     //!< Destinations of cells, by source and peer
    std::vector<uint32_t> m_nAccepted;    //!< Number of these, by peer and destination
    std::vector<uint32_t> m_nOwn;         //!< Number of these, by source and destination
    std::vector<uint32_t> m_turn;         //!< The first destination of the next requests, by source
    Ptr<UniformRandomVariable> m_uniform; //!< Draws ports
};

} // namespace lightpath
} // namespace ns3

#endif /* VALIANT_DISCIPLINE_H */
