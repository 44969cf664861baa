/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_TURNS_H
#define CIRCUIT_TURNS_H

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Which circuits the planes of a fabric carry, if messages take turns on them.
 *
 * A plane joins each source to one destination, and each destination to one source, as a circuit
 * switch does. A message asks for a circuit and ends its request once it is through. On each plane
 * a circuit is set up as soon as its request is the oldest one both of its source and of its
 * destination, so that requests with a common end are served in the order in which they were made.
 * A later request never takes what an earlier one waits for: if each message gets through once it
 * and all earlier ones have their circuits, none waits forever.
 *
 * Ports that nobody has asked for keep their circuits until an expected message gets them.
 */
class CircuitTurns
{
  public:
    /// A circuit.
    struct Circuit
    {
        uint32_t source{0};      //!< The port that sends
        uint32_t destination{0}; //!< The port that receives
        uint32_t label{0};       //!< Tells circuits apart where a port stands for many alike

        /**
         * @param other the circuit compared with
         * @return true if both are the same
         */
        bool operator==(const Circuit& other) const
        {
            return source == other.source && destination == other.destination &&
                   label == other.label;
        }
    };

    /// Planes that are set alike: every n-th one.
    struct PlaneGroup
    {
        uint32_t first{0};  //!< The first plane
        uint32_t groups{1}; //!< n, the number of groups
    };

    /// A source whose circuit on a plane has changed.
    struct Change
    {
        uint32_t plane{0};  //!< The plane
        uint32_t source{0}; //!< The source
    };

    /// Whether a plane can join a source and a destination.
    using CanJoin = std::function<bool(uint32_t source, uint32_t destination, uint32_t plane)>;

    /**
     * @param ports the number of ports
     * @param planes the number of planes, at least 1
     */
    CircuitTurns(uint32_t ports, uint32_t planes);

    /**
     * @return the number of planes
     */
    uint32_t GetNPlanes() const
    {
        return static_cast<uint32_t>(m_planes.size());
    }

    /**
     * Set which circuits the planes can carry, such as after a failure. Requests keep their order.
     *
     * @param canJoin the rule; empty if planes carry all circuits
     */
    void SetCanJoin(CanJoin canJoin);

    /**
     * @param circuit a circuit
     * @param plane a plane
     * @return true if the plane can carry it
     */
    bool IsCarried(const Circuit& circuit, uint32_t plane) const
    {
        return !m_canJoin || m_canJoin(circuit.source, circuit.destination, plane);
    }

    /**
     * Ask for a circuit.
     *
     * @param circuit the circuit
     * @param planes the planes that it is to use
     * @return the number of the request, greater than that of any earlier one
     */
    uint64_t Request(const Circuit& circuit, const PlaneGroup& planes);

    /**
     * End a request. One that has ended is ignored.
     *
     * @param request its number
     */
    void End(uint64_t request);

    /**
     * Set a circuit up that will be asked for, on planes where nothing is asked of its two ends.
     *
     * @param circuit the circuit
     * @param planes the planes
     */
    void Expect(const Circuit& circuit, const PlaneGroup& planes);

    /**
     * @param request the number of a request
     * @return its circuit; null if it has ended
     */
    const Circuit* Find(uint64_t request) const
    {
        const bool isAsked = request >= m_first && request - m_first < m_asked.size();
        return isAsked && !Get(request).hasEnded ? &Get(request).circuit : nullptr;
    }

    /**
     * @param request the number of a request that has not ended
     * @param plane a plane that it is to use
     * @return true if the plane is set for it
     */
    bool IsServed(uint64_t request, uint32_t plane) const;

    /**
     * @param request the number of a request that has not ended
     * @return the planes that it is to use
     */
    PlaneGroup GetPlanes(uint64_t request) const;

    /**
     * @param plane a plane
     * @param source a port
     * @return the circuit that leaves it; empty if there is none
     */
    const std::optional<Circuit>& GetCircuit(uint32_t plane, uint32_t source) const;

    /**
     * @return the changes since the last call, in their order
     */
    std::vector<Change> TakeChanges();

    /**
     * Choose in how many groups the planes take turns in an operation whose steps need different
     * circuits. With g groups a step takes g times as long as on all planes, and planes turn while
     * the other groups send, so that a step begins max(g t, t + d / g) after the one before.
     *
     * @param planes the number of planes
     * @param steps the number of steps
     * @param seconds the time t of a mean step on all planes, in seconds
     * @param dark the time d that a plane takes to turn, in seconds
     * @return the divisor g of the number of planes, no more than the steps, by which all steps
     * take the least time
     */
    static uint32_t ChooseGroups(uint32_t planes, uint32_t steps, double seconds, double dark);

  private:
    /// Requests in the order in which they were made, and the circuit in place.
    struct Side
    {
        std::vector<uint64_t> requests; //!< Those that have not ended
        std::optional<Circuit> circuit; //!< The circuit
    };

    /// A plane.
    struct Plane
    {
        std::vector<Side> sources;      //!< By port
        std::vector<Side> destinations; //!< By port
    };

    /// A request.
    struct Asked
    {
        Circuit circuit;      //!< The circuit
        PlaneGroup planes;    //!< The planes that it is to use
        bool hasEnded{false}; //!< Whether it has ended
    };

    /**
     * @param request the number of a request that has not ended
     * @return the request
     */
    const Asked& Get(uint64_t request) const
    {
        return m_asked[request - m_first];
    }

    /**
     * @param group some planes
     * @param circuit a circuit
     * @param act called with each of the planes that can carry the circuit
     */
    void ForEachPlane(const PlaneGroup& group,
                      const Circuit& circuit,
                      const std::function<void(uint32_t)>& act) const;

    /**
     * Let a request wait for its turn.
     *
     * @param request its number
     */
    void Enqueue(uint64_t request);

    /**
     * Set up the circuit that is asked for first, if it is its turn.
     *
     * @param plane a plane
     * @param source the source
     */
    void Serve(uint32_t plane, uint32_t source);

    /**
     * @param plane a plane
     * @param circuit the circuit to be set up in place of those of its two ends
     */
    void Set(uint32_t plane, const Circuit& circuit);

    std::vector<Plane> m_planes;   //!< The planes
    CanJoin m_canJoin;             //!< Which circuits they can carry
    std::deque<Asked> m_asked;     //!< All requests from the first that has not ended on
    std::vector<Change> m_changes; //!< Those that TakeChanges() will return
    uint64_t m_first{1};           //!< Number of the first of these
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_TURNS_H */
