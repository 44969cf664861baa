/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PHASE_SWITCH_H
#define PHASE_SWITCH_H

#include "plan-circuits.h"

#include "ns3/phase-counter.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Switches the circuits of a plan as its phases are reached.
 */
class PhaseSwitch
{
  public:
    /// Takes a setting of the circuits, and whether they carry light already.
    using Circuits = std::function<void(uint32_t, bool)>;

    /**
     * Begin with the circuits of the first phase that has any.
     *
     * @param circuits the circuits of the phases, which must outlive this object
     * @param tasks the number of communication tasks in each phase
     * @param seconds how long circuits carry no light when they are switched, seconds
     * @param set switches the circuits
     */
    PhaseSwitch(const PlanCircuits& circuits,
                const std::vector<uint64_t>& tasks,
                double seconds,
                Circuits set);

    /**
     * @return the present setting of the circuits
     */
    uint32_t GetSetting() const
    {
        return m_setting;
    }

    /**
     * @param iteration the iteration of a communication task that has ended
     * @param phase its phase
     */
    void End(uint32_t iteration, uint32_t phase);

    /**
     * Ask for the circuits of a phase that has been reached since the last call.
     *
     * @param iterations the iterations of the plan
     * @return true if the circuits carry no light until Light() is called
     */
    bool Switch(uint32_t iterations);

    /**
     * Let circuits carry light, unless others have been asked for.
     *
     * @param number what GetN() was when they were asked for
     */
    void Light(uint32_t number);

    /**
     * @return the times that circuits have been switched
     */
    uint32_t GetN() const;

    /**
     * @return the same in the last iteration
     */
    uint32_t GetNLast() const;

  private:
    const PlanCircuits& m_circuits; //!< The circuits of the phases
    PhaseCounter m_counter;         //!< The phases
    double m_seconds;               //!< Time without light, seconds
    Circuits m_set;                 //!< Sets the circuits
    bool m_hasNewPhase{false};      //!< Whether a phase has just been reached
    uint32_t m_setting{0};          //!< Setting of the circuits that is asked for
    uint32_t m_nSwitched{0};        //!< Times that circuits have been switched
    uint32_t m_nCounted{0};         //!< Times in the last iteration
};

} // namespace lightpath
} // namespace ns3

#endif /* PHASE_SWITCH_H */
