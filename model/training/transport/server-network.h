/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_NETWORK_H
#define SERVER_NETWORK_H

#include "card-averages.h"
#include "server-ways.h"
#include "transport.h"

#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class CircuitTransport;
class JobLedger;
class ServerTransport;

/**
 * @ingroup lightpath
 * @brief A fabric between servers, or another network, and what sends on it.
 */
struct ServerRail
{
    Ptr<FabricChannel> channel; //!< The fabric; null for another network
    /// The transport of each port, to which ranks are ports
    std::vector<Ptr<Transport>> transports;
};

/**
 * @ingroup lightpath
 * @brief Carries messages between the GPUs of servers: inside over the scale-up network of their
 * server, and between servers over the fabric, or over one of several, that their cards are on.
 *
 * A message to a GPU on another rail first goes over the scale-up network of the sender, to the GPU
 * of the index that it is for (as the PXN of NCCL does), in up to RelayedParts parts, so that both
 * networks carry it at the same time; if the layout has no crossing of rails, the job fails.
 *
 * The GPUs of a card share its transport: their messages to one port go one after the other.
 *
 * A rail, a card or the scale-up network of a server can fail (SetFailed()), and so can components
 * of the fabrics. Messages that cannot take their way take another one, through other cards of the
 * two servers; without one, the job fails. A frame that is being sent when a rail or a card fails
 * still arrives.
 */
class ServerNetwork : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ServerNetwork();
    ~ServerNetwork() override;

    /**
     * @param layout which GPUs share a server, and their cards
     * @param inside the transport of each GPU on the scale-up network of its server, to which ranks
     *        are indices
     * @param rails the fabrics between servers; none if there is one server
     */
    void SetUp(const ServerLayout& layout,
               std::vector<Ptr<Transport>> inside,
               std::vector<ServerRail> rails);

    /**
     * @param place a GPU
     * @return what carries its messages
     */
    Ptr<Transport> GetTransport(uint32_t place) const;

    /**
     * @return which GPUs share a server, and their cards
     */
    const ServerLayout& GetLayout() const
    {
        return m_layout;
    }

    /**
     * @return the fabrics between servers
     */
    const std::vector<ServerRail>& GetRails() const
    {
        return m_rails;
    }

    /**
     * @return the bytes of all frames sent over scale-up networks so far, with headers
     */
    uint64_t GetInsideBytes() const;

    /**
     * Mark a component as failed, or as repaired: "rail:K" for fabric K between servers, "card:S:C"
     * for card C of server S, "scale-up:S" for the network inside server S, and "rail:K:NAME" for
     * component NAME of fabric K. Another name is that of a component of the only fabric between
     * servers. An unknown name ends the program with a message that lists the known names.
     *
     * @param component the name of the component
     * @param failed true for a failure, false for a repair
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * @return the names of the components that SetFailed() has marked as failed
     */
    const std::set<std::string>& GetFailed() const
    {
        return m_ways.GetFailed();
    }

    /**
     * @param ledger takes the account of what is handed to fabrics after it has crossed rails; null
     *        for none. The network does not own it.
     */
    void SetLedger(JobLedger* ledger);

    // The functions of a Transport, for each GPU; called by ServerTransport

    /**
     * @param place a GPU
     * @param isComputed whether what it sends over its scale-up network may have no events
     */
    void SetComputed(uint32_t place, bool isComputed);

    /**
     * @param source the GPU that sends the message
     * @param destination the GPU that it is for
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void Send(uint32_t source, uint32_t destination, uint64_t tag, uint64_t bytes);

    /**
     * Let the fabric between servers average a message.
     *
     * @param place the GPU that hands it over
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void Average(uint32_t place, uint64_t tag, uint64_t bytes);

    /**
     * Let the scale-up network average a message, if its switch reduces (CrossbarChannel), once all
     * GPUs of the server have handed theirs over.
     *
     * @param place the GPU that hands it over
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void AverageInside(uint32_t place, uint64_t tag, uint64_t bytes);

    /**
     * @param place a GPU
     * @return its transport on the scale-up network
     */
    Ptr<const Transport> GetInside(uint32_t place) const;

    /**
     * @param place a GPU
     * @return the bytes of all frames that it has sent over its scale-up network, with headers
     */
    uint64_t GetInsideBytes(uint32_t place) const;

    /**
     * @param place a GPU
     * @return the transport of its card; null if there is one server only
     */
    Ptr<const Transport> GetOutside(uint32_t place) const;

    /**
     * @param place a GPU
     * @return true if it speaks for its card: it is the first of those that share it
     */
    bool OwnsCard(uint32_t place) const;

    /**
     * @param place a GPU
     * @return a clause that says what waits at its card; empty if nothing does
     */
    std::string DescribeCard(uint32_t place) const;

  protected:
    void DoDispose() override;

  private:
    /// A port of a fabric between servers.
    using RailPort = std::pair<uint32_t, uint32_t>;

    /// A message, or a part of one, on its way. Networks carry its number as the tag.
    struct Letter
    {
        uint32_t source{0};      //!< GPU that sent the message
        uint32_t destination{0}; //!< GPU that it is for
        uint64_t tag{0};         //!< Tag of the message
        uint64_t size{0};        //!< Size of the message in bytes
        uint64_t bytes{0};       //!< Size of this part in bytes
        uint64_t left{0};        //!< Bytes of it that have not arrived at the next GPU
        ServerWays::Way way;     //!< GPUs at which it enters and leaves the fabric
        uint32_t next{0};        //!< GPU that a network carries it to; none has it if closed
        bool isInside{false};    //!< That is a scale-up network
        bool isCounted{false};   //!< It has been handed to a fabric between servers
    };

    /**
     * @param letter a letter
     * @return its number
     */
    uint64_t Open(const Letter& letter);

    /**
     * @param number the number of a letter that has arrived
     */
    void Close(uint64_t number);

    /**
     * @param number the number of a letter
     * @return the letter
     */
    Letter& Find(uint64_t number);

    /**
     * Describe a letter to the process of the GPU that a network carries it to, before it arrives
     * there.
     *
     * @param letter the letter
     * @return its number in that process
     */
    uint64_t Announce(const Letter& letter);

    /// Take letters from other processes.
    void ListenToOthers();

    /**
     * @param place a GPU
     * @return its device on the scale-up network
     */
    Ptr<OpticalNetDevice> GetInsideDevice(uint32_t place) const;

    /**
     * @param place a GPU
     * @return true if this process carries it out
     */
    bool IsHere(uint32_t place) const;

    /**
     * Choose the way of a letter, and send it off. The job fails if there is none.
     *
     * @param letter the letter, without a way
     * @param at the GPU that has it
     */
    void Dispatch(Letter letter, uint32_t at);

    /**
     * Hand a letter to the next network on its way.
     *
     * @param letter the letter
     * @param at the GPU that has it
     */
    void Forward(const Letter& letter, uint32_t at);

    /**
     * Fail the job since a scale-up network has failed that a letter needs.
     *
     * @param letter the letter
     * @param at a GPU of the server
     */
    void FailInside(const Letter& letter, uint32_t at);

    /**
     * Deliver a letter, or send it on.
     *
     * @param letter the letter, which has arrived as a whole
     */
    void Arrive(const Letter& letter);

    /**
     * Take a part of a letter that has arrived.
     *
     * @param number the number of the letter
     * @param bytes the size of the part in bytes
     */
    void Receive(uint64_t number, uint64_t bytes);

    /**
     * Take an average from the fabric between servers.
     *
     * @param port the port that it has come back to
     * @param tag its tag on the fabric
     * @param bytes its size in bytes
     */
    void TakeAverage(RailPort port, uint64_t tag, uint64_t bytes);

    /**
     * Take what arrives on a network.
     *
     * @param transport the transport on the network
     * @param port its port, if it is on a fabric between servers
     * @param take takes the parts of letters
     */
    void Connect(const Ptr<Transport>& transport,
                 std::optional<RailPort> port,
                 const Transport::PartCallback& take);

    /// Send what waits for a way that a failure has closed by another way.
    void Reroute();

    /**
     * Take back what waits at a port, and send it by another way.
     *
     * @param transport the transport of the port
     * @param peer the port that it is for
     */
    void Withdraw(CircuitTransport& transport, uint32_t peer);

    /**
     * Fail the job.
     *
     * @param sentence why
     */
    void Fail(const std::string& sentence);

    /**
     * Note that a component of a fabric has failed or works again.
     *
     * @param component its name
     * @param failed true if it has failed
     */
    void NotifyFault(const std::string& component, bool failed);

    ServerLayout m_layout;                      //!< Which GPUs share a server
    ServerWays m_ways;                          //!< The ways that are left
    uint32_t m_relayedParts;                    //!< Most parts of a message that crosses rails
    std::vector<Ptr<Transport>> m_inside;       //!< On the scale-up networks, by GPU
    std::vector<uint64_t> m_reducedBytes;       //!< Bytes given to switches that reduce, by GPU
    std::vector<ServerRail> m_rails;            //!< The fabrics between servers
    std::vector<Ptr<ServerTransport>> m_fronts; //!< The transports of the GPUs
    std::vector<Letter> m_letters;              //!< The letters by number
    std::map<uint64_t, Letter> m_foreign;       //!< Letters from other processes
    uint64_t m_nAnnounced{0};                   //!< Letters for other processes
    std::vector<uint64_t> m_free;               //!< Numbers that no letter has
    JobLedger* m_ledger{nullptr};               //!< What operations will still send, or null
    bool m_hasFailed{false};                    //!< The job has been told of a failure
    CardAverages m_averages;                    //!< Averages of shared cards
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_NETWORK_H */
