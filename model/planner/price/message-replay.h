/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_REPLAY_H
#define MESSAGE_REPLAY_H

#include "model/collective/collective-progress.h"

#include "ns3/agenda.h"
#include "ns3/message-carrier.h"
#include "ns3/message-tag.h"
#include "ns3/planning-problem.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class HybridChoice;
class PhasedCarrier;
class PlanCircuits;
class TurnedCarrier;

/**
 * @ingroup lightpath
 * @brief The messages of a plan that are followed one by one, on a fabric that carries them as in a
 * simulation: a grid, LinkLimits::carry, lightpaths, or a network of shared links.
 */
class MessageReplay : private CollectiveProgress::Sender
{
  public:
    /// Sends a message over shared links: source, destination, bytes and number of the message.
    using Flow = std::function<void(uint32_t, uint32_t, double, uint32_t)>;

    /// Takes the tag of a message that has come in, or of a part that is done.
    using Done = std::function<void(uint64_t)>;

    /**
     * @param plan the plan
     * @param fabric the fabric
     * @param circuits its lightpaths; all must outlive this object
     * @param iterations the number of iterations
     * @param flow sends messages inside servers and over shared networks; it calls ArriveInside()
     *        or Arrive() once they have come in
     * @param done takes what is done
     */
    MessageReplay(const TrainingPlan& plan,
                  const FabricLimits& fabric,
                  const PlanCircuits* circuits,
                  uint32_t iterations,
                  Flow flow,
                  Done done);

    MessageReplay(const MessageReplay&) = delete;
    MessageReplay& operator=(const MessageReplay&) = delete;

    /**
     * @return the number of events so far
     */
    uint64_t GetNEvents() const
    {
        return m_agenda.GetNEvents();
    }

    /**
     * @return the time from sending the first message between servers until one comes in, in
     *         seconds; 0 if none has
     */
    double GetFirstSeconds() const
    {
        return static_cast<double>(std::max<int64_t>(m_carriedAt - m_sentAt, 0)) * m_tick;
    }

    /**
     * @param seconds a time, which may be infinite
     * @return the time of the first tick that is not earlier, but for rounding, seconds
     */
    double GetTickAfter(double seconds) const
    {
        constexpr double ROUNDING = 1e-3;
        return std::ceil(seconds / m_tick - ROUNDING) * m_tick;
    }

    /**
     * @return when something happens next, seconds; infinity if nothing does
     */
    double GetNext();

    /**
     * Let the next event happen, if one is to happen by now; otherwise go on to now.
     *
     * @param seconds the present time, no earlier than before
     * @return true if one has happened
     */
    bool Proceed(double seconds);

    /**
     * Call a function, in order with what happens to messages.
     *
     * @tparam F the type of the function
     * @param seconds when: the first tick that is not earlier, but for rounding
     * @param function the function
     */
    template <typename F>
    void At(double seconds, F function)
    {
        m_agenda.At(Agenda::GetTicks(GetTickAfter(seconds)), std::move(function));
    }

    /**
     * Take a part of a message that has been sent inside a server.
     *
     * @param number the number of the message
     */
    void ArriveInside(uint32_t number);

    /**
     * Take a part of a message at its destination.
     *
     * @param number the number of the message
     */
    void Arrive(uint32_t number);

    /**
     * Let a rank send a message now.
     *
     * @param source the rank
     * @param destination the rank that it is for
     * @param bytes its size
     * @param task the place of its task in the program of the source
     * @param iteration the iteration
     * @param tag what Done takes once it has come in
     */
    void Send(uint32_t source,
              uint32_t destination,
              uint64_t bytes,
              uint32_t task,
              uint32_t iteration,
              uint64_t tag);

    /**
     * Let a member begin its part of an operation now.
     *
     * @param key what the operation is known by
     * @param schedule its schedule
     * @param members the ranks of the group, which must outlive this object
     * @param position the position of the member
     * @param task the place of its task in the program of the member
     * @param iteration the iteration
     * @param tag what Done takes once the part is done
     */
    void Join(uint64_t key,
              const std::shared_ptr<const CollectiveSchedule>& schedule,
              const std::vector<uint32_t>& members,
              uint32_t position,
              uint32_t task,
              uint32_t iteration,
              uint64_t tag);

    /**
     * Note that a rank has ended a collective operation.
     *
     * @param rank the rank
     * @param task the place of its task in the program of the rank
     * @param iteration the iteration
     */
    void End(uint32_t rank, uint32_t task, uint32_t iteration);

    /// Switch circuits that follow operations, after all that happens at this instant.
    void Settle();

    /**
     * Decide on circuits that follow phases.
     *
     * @param setting their new setting
     */
    void Switch(uint32_t setting);

    /**
     * Set circuits that follow phases for the first time.
     *
     * @param setting their first setting
     */
    void Light(uint32_t setting);

  private:
    /// The bits of a step in the tag of a message of a collective, below those of the operation.
    static constexpr uint32_t STEP_BITS = 20;

    /// The part of a rank in an operation.
    struct Part
    {
        std::optional<CollectiveProgress> progress;    //!< Its steps, while it takes part
        CollectiveProgress::Messages early;            //!< Messages that came in before it did
        uint64_t tag{0};                               //!< What it is known by outside
        MessageTag fields;                             //!< The fields of the tags of its messages
        const std::vector<uint32_t>* members{nullptr}; //!< The ranks of the group
    };

    /// A message.
    struct Message
    {
        uint64_t tag{0};            //!< What it is known by outside, or of a collective inside
        uint32_t rank{0};           //!< The rank that it is for
        bool isAlone{true};         //!< Whether it belongs to no collective
        uint32_t source{0};         //!< The rank that sends it
        MessageTag fields{};        //!< The fields of its tag in a simulation
        uint32_t relay{UINT32_MAX}; //!< The rank that hands it to the fabric between servers,
                                    //!< if another one than the source
        uint64_t partBytes{0};      //!< Bytes of a part, but for the last one
        uint64_t leftBytes{0};      //!< Bytes that are not handed to the fabric between servers
        uint32_t left{1};           //!< Parts that have not come in
        uint32_t nSummed{0};        //!< Ranks whose data the switch of a server sums; 0: a message
    };

    void Transmit(uint32_t peer, uint64_t tag, uint64_t bytes) override;
    void Average(uint64_t tag, uint64_t bytes, bool isInside) override;

    /// Send a message of some bytes.
    void Post(uint64_t bytes, Message message);

    /// Note that the message, or the operation, of a task begins; get the fields of its tags.
    MessageTag Begin(uint32_t rank, uint32_t task, uint32_t iteration);

    /// Send a part of a message over the fabric between servers, from the rank with the card.
    void Carry(uint32_t source, uint32_t number);

    /// Send bytes of a message from a port to another one over a network of shared links.
    void CarryBeside(uint32_t rail, const MessageCarrier::Message& message, uint32_t number);

    /// Make the carrier for one of the fabrics between servers; none if it is shared.
    void AddCarrier(uint32_t rail, uint32_t iterations, const MessageCarrier::Arrival& arrival);

    const TrainingPlan& m_plan;                           //!< The plan
    const FabricLimits& m_fabric;                         //!< The fabric
    const PlanCircuits* m_circuits;                       //!< Its lightpaths
    Flow m_flow;                                          //!< Sends messages over shared links
    Done m_done;                                          //!< Takes what is done
    PrivateAgenda m_agenda;                               //!< The time of the fabric
    std::vector<std::unique_ptr<MessageCarrier>> m_rails; //!< The fabrics between servers
    std::vector<TurnedCarrier*> m_turned;       //!< Those whose circuits follow operations
    std::vector<PhasedCarrier*> m_phased;       //!< Those whose circuits follow phases
    std::vector<const HybridChoice*> m_choices; //!< What takes circuits, by rail; empty without
    const double m_tick;                        //!< Its resolution, seconds
    std::map<uint64_t, uint64_t> m_numbers;     //!< Numbers of operations, by key
    std::map<std::pair<uint64_t, uint32_t>, Part> m_parts; //!< By number of operation and rank
    std::vector<Message> m_messages;                       //!< All messages
    /// Messages that the switch of a server holds for a sum, by tag and server
    std::map<std::pair<uint64_t, uint32_t>, std::vector<uint32_t>> m_sums;
    std::vector<Transfer> m_transfers; //!< Messages of a step
    uint32_t m_rank{0};                //!< The rank whose collective goes on
    int64_t m_sentAt{-1};              //!< When the first message between servers was sent
    int64_t m_carriedAt{-1};           //!< When the first message between servers came in
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_REPLAY_H */
