/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESH_IMPERFECTIONS_H
#define MESH_IMPERFECTIONS_H

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Deviations of real interferometers from the computed ones.
 *
 * Each phase shifter is set to the nearest of 2^PhaseBits phases (if its bits are limited) and has
 * a normal error. The angle of each coupler, 45 degrees for an even split, has a normal error of
 * its own. A mesh draws its errors once, as they come from fabrication; detectors draw noise for
 * each symbol.
 *
 * Each interferometer loses MziLossDb. The amplifier of a layer restores light that passes an
 * interferometer in each column. With BalancedLoss, a mode without an interferometer in a column
 * loses as much; without BalancedLoss, its light comes out too strong.
 */
class MeshImperfections : public Object
{
  public:
    MeshImperfections();

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param phase the computed phase, in radians
     * @return the phase of a real shifter
     */
    double DrawPhase(double phase) const;

    /**
     * @return the angle of a coupler, in radians
     */
    double DrawCoupler() const;

    /**
     * @return the noise at an output, in levels
     */
    double DrawDetectorNoise() const;

    /**
     * @return whether detectors add noise
     */
    bool HasDetectorNoise() const;

    /**
     * @return the loss of an interferometer, in decibels
     */
    double GetMziLossDb() const;

    /**
     * @return the amplitude after an interferometer, relative to a column without one
     */
    double GetRelativeAmplitude() const;

    /**
     * @param stream the first of the random streams to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    double m_phaseNoise;                 //!< The deviation of phases, in radians
    uint32_t m_phaseBits;                //!< The bits that set a phase, 0 for any phase
    double m_couplerError;               //!< The deviation of couplers, in radians
    double m_mziLossDb;                  //!< The loss of an interferometer
    bool m_balancedLoss;                 //!< Whether all modes lose as much
    double m_detectorNoise;              //!< The deviation of outputs, in levels
    Ptr<NormalRandomVariable> m_phase;   //!< The errors of phases
    Ptr<NormalRandomVariable> m_coupler; //!< The errors of couplers
    Ptr<NormalRandomVariable> m_noise;   //!< The noise of detectors
};

} // namespace lightpath
} // namespace ns3

#endif /* MESH_IMPERFECTIONS_H */
