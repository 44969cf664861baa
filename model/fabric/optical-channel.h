/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_CHANNEL_H
#define OPTICAL_CHANNEL_H

#include "photonic-channel.h"

#include "ns3/circuit-plan.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class LaneDarkness;

/**
 * @ingroup lightpath
 * @brief A fabric of circuits: carries the lightpaths of a CircuitPlan, and no other traffic.
 *
 * A lightpath of k lanes has the rate k x LaneRate; a frame is striped over its lanes and has the
 * delay of the longest lane. A reconfiguration takes the time to switch (SwitchingDelay) and to
 * bring circuits up (BringUp), during which the whole fabric or only the lanes that change are
 * dark.
 *
 * The link of a device is up, also between two circuits, unless failures have left it no path to
 * any other device. With LinkFollowsPlan it also needs a lightpath from the device: the link comes
 * up with the light of the first one, and goes down when the plan has none left. The darkness of
 * switching does not take it down.
 *
 * An abstract base class: a child class defines which plans its fabric can carry (DoCheck()) and
 * the propagation delay (GetPathDelay()). If components can fail, it also defines the effects
 * (DoSetFailed(), IsIntact(), HasPath()): lanes broken by a failure go dark at once and leave the
 * plan; a repaired component serves plans configured from then on. A frame whose lightpath loses
 * all lanes resumes on the next lightpath to the same destination, whatever the FrameCut; bits
 * already sent arrive.
 */
class OpticalChannel : public PhotonicChannel
{
  public:
    /// The lanes that are dark while circuits are switched.
    enum PauseMode
    {
        GLOBAL_PAUSE,  //!< All lightpaths
        PARTIAL_PAUSE, //!< The lanes that change
        LANE_PAUSE,    //!< The same; each lane is dark for as long, whatever else is switched
    };

    /// The treatment of a frame that is being sent when its lightpath is about to go dark.
    enum FrameCut
    {
        RESUME_FRAME, //!< It is cut, and resumed on the next lightpath to the same destination
        FINISH_FRAME, //!< It is finished before the darkness begins, and no other frame begins
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param plan a plan
     * @return a message that names the first conflict; empty if this fabric, in its present state,
     *         can carry the plan
     */
    std::string Check(const CircuitPlan& plan) const;

    /**
     * Switch to another plan. A plan that the fabric cannot carry ends the program with the message
     * of Check(). The present plan causes no darkness, nor does the return to it while frames are
     * being finished. A call while circuits are being switched replaces the new plan, and restarts
     * the darkness; with the PauseMode Lane only that of lanes that the replaced plan did not have.
     *
     * @param plan the plan
     */
    void Configure(const CircuitPlan& plan);

    /**
     * @return the plan in force, or the plan being switched to
     */
    const CircuitPlan& GetPlan() const
    {
        return m_plan;
    }

    /**
     * @return the lanes that carry light now
     */
    const CircuitPlan& GetLive() const
    {
        return m_live;
    }

    /**
     * @param plan a plan
     * @return the plan without the lanes that failures break
     */
    CircuitPlan GetIntact(const CircuitPlan& plan) const;

    /**
     * @return which lanes are dark while circuits are switched
     */
    PauseMode GetPauseMode() const
    {
        return m_pauseMode;
    }

    /**
     * @return the darkness of a reconfiguration: the time to switch and to bring circuits up
     */
    Time GetReconfigurationTime() const
    {
        return m_switchingDelay + m_laserTuningTime + m_receiverLockTime + m_codeAlignmentTime +
               m_linkTrainingTime;
    }

    /**
     * @return the time from now until a plan configured now would be carried, if no frame has to be
     *         finished
     */
    Time GetSwitchingDelay() const
    {
        return m_nReconfigurations == 0 && !m_initialSwitching ? Time(0) : GetReconfigurationTime();
    }

    /**
     * @return the total time of darkness for switching, until now
     */
    Time GetDarkTime() const;

    /**
     * @return the number of reconfigurations, including one in progress
     */
    uint32_t GetNReconfigurations() const
    {
        return m_nReconfigurations;
    }

    /**
     * @return the rate of one lane
     */
    DataRate GetLaneRate() const
    {
        return m_laneRate;
    }

    /**
     * @param plan a plan that the fabric can carry
     * @param more another one
     * @return the plan with the lanes of the other that fit beside it; none in the base class
     */
    virtual CircuitPlan Extend(const CircuitPlan& plan, const CircuitPlan& more) const
    {
        return plan;
    }

    /**
     * @param source a port
     * @param destination another port
     * @return true if the working components could carry a lightpath from one to the other; always
     *         in the base class
     */
    virtual bool HasPath(uint32_t source, uint32_t destination) const
    {
        return true;
    }

    /**
     * @param source a port
     * @param destination another port
     * @param lane a lane that a lightpath between them uses
     * @return the propagation delay from one to the other, without the attribute Delay
     */
    virtual Time GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const = 0;

    /**
     * @return true while circuits are being switched
     */
    bool IsChanging() const override
    {
        return m_switching || !m_waiting.empty();
    }

    FabricStatistics GetStatistics() const override;

    bool Lend(uint32_t /* source */, uint32_t /* destination */) override
    {
        // A lightpath has its lanes to itself, and each change goes through SetRate()
        return true;
    }

    bool CanFail() const override;
    bool IsLinkUp(uint32_t port) const override;
    std::vector<uint32_t> GetReachable(uint32_t source) const override;
    void NotifyHeld(uint32_t source, uint32_t destination) override;

    /**
     * TracedCallback signature for the beginning or the end of a reconfiguration.
     *
     * @param plan the plan that is switched to
     */
    typedef void (*PlanTracedCallback)(const CircuitPlan& plan);

  protected:
    void DoDispose() override;

    /// A lane of the lightpath between two ports.
    using LightpathLane = std::pair<PortPair, Lane>;

    /**
     * @param plan a plan that the fabric could carry before the last failure
     * @return its broken lanes; in the base class the lanes that are not intact
     */
    virtual std::vector<LightpathLane> GetBroken(const CircuitPlan& plan) const;

  private:
    void ApplyFault(bool failed) override;

    /**
     * @param pair the ports of a lightpath
     * @param lane a lane that it uses
     * @return true if all components that the lane needs work; always in the base class
     */
    virtual bool IsIntact(PortPair pair, Lane lane) const
    {
        return true;
    }

    /**
     * @param plan a plan whose ports exist and whose lightpaths use no lane twice
     * @return a message that names the first conflict; empty if the fabric can carry the plan
     */
    virtual std::string DoCheck(const CircuitPlan& plan) const = 0;

    /**
     * @param next the plan to be switched to
     * @return the lanes with light that stay lit during the reconfiguration
     */
    CircuitPlan GetKept(const CircuitPlan& next) const;

    /**
     * Keep frames from beginning on lit lightpaths with changing lanes.
     *
     * @param kept the lanes that do not change
     */
    void HoldFrames(const CircuitPlan& kept);

    /**
     * Let frames begin again on lit lightpaths without changing lanes.
     *
     * @param kept the lanes that do not change
     */
    void ReleaseFrames(const CircuitPlan& kept);

    /// Begin to switch, once no frame has to be finished.
    void BeginDarkness();

    /// Put light on the lightpaths of the plan.
    void EndDarkness();

    /// Let frames begin on all lightpaths.
    void ReleaseHeld();

    /**
     * Put light on these lanes and on no other.
     *
     * @param plan the lanes by lightpath
     */
    void SetLive(const CircuitPlan& plan);

    /// Set the rates of the lightpaths whose lanes with light have changed.
    void UpdateRates();

    /**
     * Prefetch the memory that SetLightpathRate() is going to use for a pair.
     *
     * @param pairs some pairs
     * @param index the index of one of them; no effect if it is out of range
     */
    void Prefetch(const std::vector<PortPair>& pairs, std::size_t index) const;

    /**
     * @param ports the ends of a lightpath
     * @param lanes its lanes, sorted
     * @return the propagation delay of the longest one, as a frame is striped over all of them,
     *         without the attribute Delay; 0 without lanes
     */
    virtual Time GetLightpathDelay(PortPair ports, const std::vector<Lane>& lanes) const;

    /**
     * Set the rate of one lightpath from its lanes with light.
     *
     * @param pair its ports
     * @param lanes its lanes with light
     */
    void SetLightpathRate(PortPair pair, const std::vector<Lane>& lanes);

    /**
     * Take links up or down.
     *
     * @param byFault whether a component has failed or works again
     */
    void UpdateLinks(bool byFault);

    /// Remove broken lanes from the plan and put out their light.
    void RemoveBroken();

    DataRate m_laneRate;          //!< Rate of one lane
    Time m_delay;                 //!< Delay of all lightpaths beyond that of their paths
    Time m_switchingDelay;        //!< Darkness until circuits are switched
    Time m_laserTuningTime;       //!< Darkness until lasers are tuned, from then
    Time m_receiverLockTime;      //!< Darkness until receivers have locked, from then
    Time m_codeAlignmentTime;     //!< Darkness until decoders are aligned, from then
    Time m_linkTrainingTime;      //!< Darkness until links are up, from then
    PauseMode m_pauseMode;        //!< The lanes that are dark
    FrameCut m_frameCut;          //!< The treatment of a frame that is being sent
    bool m_initialSwitching;      //!< The first plan takes the switching delay too
    bool m_linkFollowsPlan;       //!< The link of a device needs a lightpath
    CircuitPlan m_plan;           //!< The plan carried or switched to
    CircuitPlan m_live;           //!< The lanes with light
    std::set<PortPair> m_held;    //!< Lightpaths on which no frame may begin
    std::set<PortPair> m_waiting; //!< Lightpaths on which a frame is being finished
    EventId m_end;                //!< The end of the darkness
    /// With LANE_PAUSE: the lanes that are dark; null before the first ones
    std::shared_ptr<LaneDarkness> m_dark;
    Time m_darkSince;                //!< Beginning of the present darkness
    Time m_darkTime;                 //!< All darkness that has ended
    bool m_switching{false};         //!< Circuits are being switched
    std::vector<PortPair> m_changed; //!< Lightpaths whose rate will be set
    std::vector<bool> m_isUp;        //!< Whether the link of each port is up
    bool m_isUpdating{false};        //!< Rates are being set
    uint32_t m_nReconfigurations{0}; //!< Times that circuits have been switched

    TracedCallback<const CircuitPlan&> m_darkTrace;  //!< Darkness begins
    TracedCallback<const CircuitPlan&> m_lightTrace; //!< Darkness ends
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_CHANNEL_H */
