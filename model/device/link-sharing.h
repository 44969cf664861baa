/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_SHARING_H
#define LINK_SHARING_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Shares the rates of links max-min fairly among flows (progressive filling).
 *
 * A flow uses any number of links, each for the whole flow or for a part of it. When a flow begins
 * or ends, only flows that compete with it, directly or through others, get new shares. A link that
 * its flows cannot fill even if each had its other links to itself lets nobody compete. Shares are
 * whole bit/s, rounded down.
 */
class LinkSharing
{
  public:
    /// The part that is a whole flow. The parts of flows that are spread evenly over up to 12
    /// links, over 16, 32 or 64, and many other numbers of them, are exact.
    static constexpr uint32_t WHOLE = 64 * 9 * 5 * 7 * 11;

    /// That a flow uses a link.
    struct Use
    {
        uint32_t link{0};     //!< The link
        uint32_t part{WHOLE}; //!< The part of the flow on it, in units of 1 / WHOLE
        uint32_t place{0};    //!< Where the link lists the flow, while it is active
    };

    /// A flow, which must stay in its place while it is active.
    class Flow
    {
      public:
        virtual ~Flow() = default;

        /**
         * Handle a new share.
         *
         * @param bitRate the share in bit/s
         */
        virtual void NotifyShare(uint64_t bitRate) = 0;

        /**
         * @return true if it is between LinkSharing::Begin() and LinkSharing::End()
         */
        bool IsActive() const
        {
            return m_isActive;
        }

        /**
         * @return its share in bit/s, 0 unless it is active
         */
        uint64_t GetShare() const
        {
            return m_share;
        }

        /**
         * @return the rate that it would have alone, in bit/s
         */
        uint64_t GetMost() const
        {
            return m_most;
        }

        /**
         * @return its links, as SetLinks() has set them
         */
        const std::vector<Use>& GetUses() const
        {
            return m_uses;
        }

      private:
        friend class LinkSharing;

        std::vector<Use> m_uses; //!< Its links
        uint64_t m_share{0};     //!< Its share in bit/s
        uint64_t m_most{0};      //!< The rate that it would have alone, in bit/s
        uint64_t m_mark{0};      //!< Number of the sharing that it has been gathered in
        bool m_isActive{false};  //!< It competes for its links
        bool m_isSettled{false}; //!< Its share is settled in the sharing under way
    };

    /**
     * @param bitRate its rate in bit/s
     * @return the number of a new link
     */
    uint32_t AddLink(uint64_t bitRate);

    /// Remove all links, on which there must be no active flow.
    void RemoveLinks();

    /**
     * @param link a link
     * @return the number of flows on it, and one more, in relation to its rate
     */
    double GetLoad(uint32_t link) const;

    /**
     * Set the links of a flow.
     *
     * @param flow the flow, which must not be active
     * @param uses its links, each once, in any order; at least one
     */
    void SetLinks(Flow& flow, const std::vector<Use>& uses) const;

    /**
     * @param flow a flow that is not active
     * @return true if it would compete with another
     */
    bool Competes(const Flow& flow) const;

    /**
     * @param flow an active flow
     * @return true if it competes with another
     */
    bool IsContended(const Flow& flow) const
    {
        return flow.m_share < flow.m_most ||
               std::any_of(flow.m_uses.begin(), flow.m_uses.end(), [this](const Use& use) {
                   return m_links[use.link].IsContended();
               });
    }

    /**
     * @param flow a flow
     * @return the other active flows on its links
     */
    std::vector<Flow*> GetOthers(const Flow& flow) const;

    /**
     * Begin a flow. If it competes with no other, it gets its share at once; else by Share().
     *
     * @param flow the flow
     */
    void Begin(Flow& flow);

    /**
     * End a flow, whose share becomes zero. Others get what it leaves by Share().
     *
     * @param flow the flow
     */
    void End(Flow& flow);

    /**
     * @return true if Share() has something to do
     */
    bool IsDirty() const
    {
        return !m_dirty.empty();
    }

    /// Find the shares that have changed, and notify the flows.
    void Share();

  private:
    /// Rates in units of bit/s / WHOLE.
    __extension__ typedef unsigned __int128 Parts;

    /// A link.
    struct Link
    {
        /// A flow on the link, and the index of its use.
        using Entry = std::pair<Flow*, uint32_t>;

        std::vector<Entry> flows; //!< The active flows on it
        Parts rate{0};            //!< Its rate
        Parts demand{0};          //!< Sum of the rates that its flows would have alone
        Parts left{0};            //!< Remaining rate
        uint64_t parts{0};        //!< Parts of the active flows on it
        uint64_t open{0};         //!< Parts of flows whose share is not settled
        uint64_t mark{0};         //!< Number of the sharing that it has been gathered in
        bool isDirty{false};      //!< Its flows need new shares

        /**
         * @return true if its flows compete for it
         */
        bool IsContended() const
        {
            return demand > rate;
        }
    };

    class Filling;

    /**
     * @param rate the rate of parts of one or several flows
     * @param parts the parts
     * @return the rate of a whole flow in bit/s
     */
    static uint64_t GetShare(Parts rate, uint64_t parts)
    {
        // Division of 64-bit numbers is much faster
        return rate >> 64 == 0 ? static_cast<uint64_t>(rate) / parts
                               : static_cast<uint64_t>(rate / parts);
    }

    /**
     * @param index a link whose flows need new shares
     */
    void MarkDirty(uint32_t index);

    /**
     * Gather the links for which the flows of a link compete, and these flows.
     *
     * @param start the link
     */
    void Gather(uint32_t start);

    /**
     * Gather a flow and the links that it competes for.
     *
     * @param flow the flow
     */
    void Gather(Flow& flow);

    /// Share the gathered links.
    void Fill();

    /**
     * Settle the share of a flow.
     *
     * @param flow the flow
     * @param bitRate its share in bit/s
     */
    void Settle(Flow& flow, uint64_t bitRate);

    std::vector<Link> m_links;        //!< The links
    std::vector<uint32_t> m_dirty;    //!< Links whose flows need new shares
    std::vector<uint32_t> m_gathered; //!< Links that are shared together
    std::vector<Flow*> m_bound;       //!< Flows that none of these links may hold back
    std::vector<std::pair<Flow*, uint64_t>> m_settled; //!< Flows with their shares
    uint64_t m_mark{0};                                //!< Number of sharings
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_SHARING_H */
