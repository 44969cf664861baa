/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_NETWORK_H
#define FLOW_NETWORK_H

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Messages and collectives as fluids that share links.
 *
 * A path leads from one GPU to another over one or more links. Its messages go one after the other.
 * The messages of a collective are as short as its steps: other messages pass it as if it were not
 * there, and collectives on one path take turns, step by step. Where the links of different paths
 * are shared, the paths that are used share them max-min fairly (progressive filling; Bertsekas and
 * Gallager, Data Networks, 1992).
 */
class FlowNetwork
{
  public:
    /// No flow.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// The load of a step of a collective, or of a byte of a message, on a link or path.
    struct Use
    {
        uint32_t index{0}; //!< The link or path; of a path, the flow
        double bytes{0};   //!< Bytes
    };

    /// Steps of a collective that are all alike.
    struct Shape
    {
        std::vector<Use> paths;   //!< The bytes of a step by path
        std::vector<Use> links;   //!< The bytes of a step by link
        double latency{0};        //!< Time of a step besides its bytes, seconds
        double steps{0};          //!< Number of steps
        mutable double bound{-1}; //!< Most steps in a second that the links allow, if not negative
        mutable uint64_t era{0};  //!< Number of changes of rates before that was found
    };

    /**
     * @param [in,out] uses the load so far
     * @param index a link or path
     * @param bytes bytes to add to it
     */
    static void Add(std::vector<Use>& uses, uint32_t index, double bytes)
    {
        for (auto& use : uses)
        {
            if (use.index == index)
            {
                use.bytes += bytes;
                return;
            }
        }
        uses.push_back({index, bytes});
    }

    /**
     * @param rate its rate in bytes/s
     * @return the index of a new link
     */
    uint32_t AddLink(double rate);

    /**
     * @param links the links of the path, with the bytes that each of them carries for a byte of a
     *        message: more than one if it does so for several GPUs that one stands for
     * @return the index of a new path
     */
    uint32_t AddPath(std::vector<Use> links);

    /**
     * Add a path that can be stopped: it takes the links of another one, and a link of its own.
     *
     * @param path the other path
     * @param [out] link the link, whose rate is the share of the path's own rate that may be used
     * @return the index of the new path
     */
    uint32_t AddPathBehind(uint32_t path, uint32_t& link);

    /**
     * @param link a link
     * @param rate its rate from the next call of Share() on, in bytes/s
     */
    void SetRate(uint32_t link, double rate);

    /**
     * @param link a link
     * @return its rate in bytes/s
     */
    double GetRate(uint32_t link) const;

    /**
     * Put a message behind all others of a path.
     *
     * @param path the path
     * @param bytes its size
     * @param tag the tag that End() reports
     */
    void Send(uint32_t path, double bytes, uint64_t tag);

    /**
     * Remove the messages with a tag, as far as they have not been sent.
     *
     * @param path the path that they are on
     * @param tag the tag
     */
    void Cancel(uint32_t path, uint64_t tag);

    /**
     * Begin the steps of a collective.
     *
     * @param shape its steps, which must live until they are over
     * @param tag the tag that End() reports
     */
    void Begin(const Shape& shape, uint64_t tag);

    /**
     * Share out the links.
     *
     * @param now the time in seconds
     */
    void Share(double now);

    /**
     * @return when the next flow ends, in seconds, if no other begins; infinite if none does
     */
    double GetNext();

    /**
     * End the flows that are over.
     *
     * @param now the time in seconds
     * @param [out] tags the tags of these flows; overwritten
     */
    void End(double now, std::vector<uint64_t>& tags);

    /**
     * @return how often a flow has been given a share so far, all flows together
     */
    uint64_t GetNShares() const;

  private:
    /// A message or a collective.
    struct Flow
    {
        const Shape* shape{nullptr}; //!< Of a collective; null for a message
        uint32_t path{NONE};         //!< Of a message
        uint64_t tag{0};             //!< Reported when it ends
        double left{0};              //!< Remaining bytes or steps
        double speed{0};             //!< Bytes or steps in a second
        double since{0};             //!< When this was true, seconds
        double weight{1};            //!< Speed for each unit of the level of a fair share
        double bound{0};             //!< Largest speed
        double end{std::numeric_limits<double>::infinity()}; //!< When, at its speed, seconds
        uint32_t nBlocked{0};                                //!< Its paths that carry a message now
        uint64_t mark{0};      //!< Number of the sharing that it has been gathered in
        uint32_t fill{NONE};   //!< Index of the flows that it shares links with
        uint32_t version{0};   //!< Fill::version of these
        bool isSettled{false}; //!< Whether its speed is settled in this sharing
        uint64_t order{0};     //!< Number of flows that got under way before it
    };

    /// A link that flows share.
    struct Link
    {
        double rate{0};              //!< Rate, bytes/s
        std::vector<uint32_t> flows; //!< Flows that use it
        double left{0};              //!< Rate that is not given out, bytes/s
        double open{0};              //!< Bytes/s that flows not settled take for each unit of level
        uint64_t mark{0};            //!< Number of the sharing that it has been gathered in
        bool isDirty{false};         //!< Whether its flows must be shared again
    };

    /// A pair of GPUs.
    struct Path
    {
        std::vector<Use> links;        //!< Its links
        std::deque<uint32_t> messages; //!< Messages in order, the first of which is under way
        std::vector<Use>
            collectives; //!< Collectives that use it, by flow, and bytes of their steps
    };

    /// Flows that share links with each other, and with no others.
    struct Fill
    {
        uint32_t version{0};         //!< Number of times that they have changed
        std::vector<uint32_t> first; //!< Those that end first
    };

    /// The first end of flows that share links.
    struct Event
    {
        double seconds{0};   //!< When
        uint32_t fill{0};    //!< The flows
        uint32_t version{0}; //!< Fill::version

        /**
         * @param other the event compared with
         * @return true if this event is later
         */
        bool operator>(const Event& other) const
        {
            return seconds != other.seconds ? seconds > other.seconds : fill > other.fill;
        }
    };

    class Sharing;

    /**
     * @param flow a flow
     * @return the links that it uses
     */
    const std::vector<Use>& GetLinks(const Flow& flow) const;

    /**
     * @return the index of a flow that is not in use
     */
    uint32_t NewFlow();

    /**
     * Let a flow use its links.
     *
     * @param index the flow
     */
    void Activate(uint32_t index);

    /**
     * Let a flow use its links no more.
     *
     * @param index the flow
     */
    void Deactivate(uint32_t index);

    /**
     * Let the collectives of a path wait for its messages, or wait no more.
     *
     * @param path the path
     * @param isBlocked whether they wait
     */
    void Block(const Path& path, bool isBlocked);

    /**
     * @param link a link whose flows must be shared again
     */
    void MarkDirty(uint32_t link);

    /**
     * Gather the links and flows that are connected with a link.
     *
     * @param start the link
     */
    void Gather(uint32_t start);

    /**
     * Find the weight and the largest speed of a flow.
     *
     * @param flow the flow
     */
    void Weigh(Flow& flow) const;

    /**
     * Share the gathered links among the gathered flows.
     *
     * @param now the time in seconds
     */
    void ShareGathered(double now);

    /**
     * Note which of the gathered flows end first.
     */
    void NoteEnds();

    /**
     * A flow no longer shares links with the same others.
     *
     * @param [in,out] flow the flow
     */
    void Leave(Flow& flow);

    /**
     * Settle the speed of a flow.
     *
     * @param index the flow
     * @param speed the speed
     * @param now the time in seconds
     */
    void Settle(uint32_t index, double speed, double now);

    std::vector<Link> m_links;         //!< The links
    std::vector<Path> m_paths;         //!< The paths
    std::vector<Flow> m_flows;         //!< The flows
    std::vector<uint32_t> m_free;      //!< Flows that are not in use
    std::vector<Fill> m_fills;         //!< Flows that share links
    std::vector<uint32_t> m_freeFills; //!< Of these, those that are not in use
    std::vector<uint32_t> m_dirty;     //!< Links whose flows must be shared again
    std::vector<uint32_t> m_gathered;  //!< Links that are shared together
    std::vector<uint32_t> m_sharing;   //!< Flows that are shared together
    /// Flows that end now, in the order in which they got under way
    std::vector<std::pair<uint64_t, uint32_t>> m_over;
    uint64_t m_mark{0};      //!< Number of sharings
    uint64_t m_era{1};       //!< Number of changes of rates
    uint64_t m_nShares{0};   //!< Shares given to flows
    uint64_t m_nUnderWay{0}; //!< Flows that got under way so far
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> m_events; //!< First ends
};

} // namespace lightpath
} // namespace ns3

#endif /* FLOW_NETWORK_H */
