/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_HELPER_H
#define ROTOR_HELPER_H

#include "fabric-helper.h"

#include "ns3/periodic-schedule.h"
#include "ns3/rotor-clock.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RotorDiscipline;

/**
 * @ingroup lightpath
 * @brief Installs a fabric whose circuits follow a periodic schedule, whatever is sent.
 *
 * A node has several uplinks, each with an equal part of its rate. With the transport "rotor", what
 * cannot wait for its own slot goes through other nodes, as a discipline decides; with the
 * transport "circuit", all messages wait for their slots.
 */
class RotorHelper : public FabricHelper
{
  public:
    /// The kinds of fabrics.
    enum Kind
    {
        ROTORNET, //!< Rotor switches that turn at the same time (Mellette et al., SIGCOMM 2017)
        OPERA,    //!< Rotor switches that turn one after the other (Mellette et al., NSDI 2020)
        SIRIUS,   //!< Tunable lasers in front of gratings (Ballani et al., SIGCOMM 2020)
        CUSTOM    //!< The schedule of SetSchedule()
    };

    /// Makes a schedule for a number of nodes; std::invalid_argument refuses it.
    using ScheduleMaker = std::function<std::shared_ptr<const PeriodicSchedule>(uint32_t nNodes)>;

    /**
     * @param kind the kind of fabric
     */
    explicit RotorHelper(Kind kind = ROTORNET);

    /**
     * Use a schedule of one's own.
     *
     * @param maker makes the schedule
     */
    void SetSchedule(ScheduleMaker maker);

    /**
     * @param uplinks the uplinks of a node, which must divide the number of nodes: 4 of RotorNet at
     *        first, and 8 of the others. A schedule of one's own has its own number.
     */
    void SetNUplinks(uint32_t uplinks);

    /**
     * @param factor the rate of all uplinks of a node over the rate of the node, which multiplies
     *        the number of uplinks: 1 at first
     */
    void SetSpeedUp(double factor);

    /**
     * @param time the time from one turn of the fabric to the next: 100 us at first, 10 us of
     *        Sirius. In Opera an uplink turns after as many of these as there are uplinks.
     */
    void SetSlotTime(Time time);

    /**
     * @param time the time for which an uplink is dark when it turns: 10 us at first, 1 us of
     *        Sirius
     */
    void SetDarkTime(Time time);

    /**
     * @param seed the seed of the random matchings of Opera, 1 at first
     */
    void SetSeed(uint32_t seed);

    /**
     * @param bytes the bytes of the smallest message that is not short, for the discipline
     *        expander: 15 MB at first
     */
    void SetShortMessage(uint64_t bytes);

    /**
     * @param name a name of a discipline
     * @return empty if SetDiscipline() knows it; otherwise a message that lists the known names
     */
    [[nodiscard]] static std::string CheckDiscipline(const std::string& name);

    /**
     * Choose what goes through other nodes with the transport "rotor": nothing (direct), what they
     * have room for (balanced), short messages over several hops and the rest balanced (expander),
     * or all (valiant). An unknown name ends the program.
     *
     * @param name the name: at first balanced, of Opera expander, of Sirius valiant
     */
    void SetDiscipline(const std::string& name);

    /**
     * @param nNodes the number of nodes
     * @return the schedule for them; std::invalid_argument if there is none
     */
    std::shared_ptr<const PeriodicSchedule> GetSchedule(uint32_t nNodes) const;

    /**
     * @param nNodes the number of nodes
     * @return the most uplinks, without the speed-up, up to those that are set, for which there is
     * a schedule; the fewest above them if there are none, and 0 if there are none at all
     */
    uint32_t FindNUplinks(uint32_t nNodes) const;

    /**
     * @param delay the time of a message besides its way through the slots: the attribute
     *        MessageDelay of the channel
     */
    void SetMessageDelay(Time delay) override;

    std::string Check(uint32_t nNodes) const override;

    /**
     * @return the number of uplinks of a node, with the speed-up, of a kind of the module
     */
    uint32_t GetNUplinks() const;

    /**
     * @return the time for which an uplink keeps a configuration
     */
    Time GetHoldTime() const;

    /**
     * @param schedule the schedule
     * @return the rate of an uplink while it has light
     */
    DataRate GetUplinkRate(const PeriodicSchedule& schedule) const;

    /**
     * @param nNodes the number of nodes
     * @return when they have light to each other
     */
    RotorClock GetClock(uint32_t nNodes) const;

    /**
     * @return what decides on what goes through other nodes
     */
    Ptr<RotorDiscipline> MakeDiscipline() const;

    /**
     * @return the kind of fabric
     */
    Kind GetKind() const
    {
        return m_kind;
    }

    /**
     * @return the name of the discipline
     */
    const std::string& GetDiscipline() const
    {
        return m_discipline;
    }

  private:
    std::vector<DerivedAttribute> GetDerived() const override;
    void ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const override;
    void ConfigureAttached(Ptr<FabricChannel> channel) const override;

    /**
     * @param nNodes the number of nodes
     * @param uplinks the uplinks of a node, with the speed-up
     * @return the schedule for them; std::invalid_argument if there is none
     */
    std::shared_ptr<const PeriodicSchedule> MakeSchedule(uint32_t nNodes, uint32_t uplinks) const;

    Kind m_kind;                       //!< Kind of fabric
    ScheduleMaker m_maker;             //!< Makes the schedule of the kind CUSTOM
    uint32_t m_nUplinks{8};            //!< Uplinks of a node, without the speed-up
    double m_speedUp{1};               //!< Rate of all uplinks over that of a node
    uint32_t m_seed{1};                //!< Seed of random matchings
    uint64_t m_shortMessage{15000000}; //!< Bytes of the smallest message that is not short
    Time m_slotTime;                   //!< Time from one turn to the next
    Time m_darkTime;                   //!< Darkness of a turn
    std::string m_discipline;          //!< What goes through other nodes
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_HELPER_H */
