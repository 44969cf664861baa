/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_ELEMENT_H
#define OPTICAL_ELEMENT_H

#include "optical-signal.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An element of an optical path.
 */
class OpticalElement : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @return its name in the table of a link budget, as in "fibre"
     */
    virtual std::string GetName() const = 0;

    /**
     * @return the insertion loss for weak light, dB; below 0 if the element amplifies
     */
    virtual double GetLoss() const = 0;

    /**
     * Let light pass.
     *
     * @param signal the light in front of the element, which becomes that behind it
     */
    virtual void Pass(OpticalSignal& signal) const;
};

/**
 * @ingroup lightpath
 * @brief An element with a fixed loss: a coupler, a crossing, a connector, a circulator.
 */
class PassiveElement : public OpticalElement
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    double GetLoss() const override;

  private:
    std::string m_name; //!< Name in tables
    double m_loss;      //!< Insertion loss, dB
};

/**
 * @ingroup lightpath
 * @brief A waveguide or a fibre, whose loss grows with its length.
 */
class OpticalGuide : public OpticalElement
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    double GetLoss() const override;

  private:
    std::string m_name;   //!< Name in tables
    double m_length;      //!< Length, m
    double m_attenuation; //!< Attenuation, dB/m
};

/**
 * @ingroup lightpath
 * @brief A splitter, which divides light evenly among its outputs, or a combiner of as many inputs.
 */
class OpticalSplitter : public OpticalElement
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    double GetLoss() const override;

  private:
    uint32_t m_outputs; //!< Number of outputs
    double m_excess;    //!< Loss beyond that of the division, dB
};

/**
 * @ingroup lightpath
 * @brief A tree of couplers that merges the light of lasers of their own, whose powers add.
 *
 * Each input loses the share of the others, and all of them together have the power of one. Their
 * intensity noise is independent, so that the relative noise of n inputs of the same power is that
 * of one over n. Lasers differ in frequency by more than a receiver detects, so that their light
 * does not beat.
 */
class OpticalMerger : public OpticalElement
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    double GetLoss() const override;
    void Pass(OpticalSignal& signal) const override;

  private:
    uint32_t m_inputs; //!< Number of inputs
    double m_excess;   //!< Loss beyond that of the shares, dB
};

/**
 * @ingroup lightpath
 * @brief An optical amplifier: erbium-doped fibre or semiconductor.
 *
 * It amplifies all wavelengths of a fibre. Its gain G follows ln(G / G0) = -(G - 1) P / Ps, where
 * G0 is Gain, P the power of all wavelengths at the input and Ps SaturationPower: an amplifier with
 * much gain has half of it where its output is Ps ln 2 (Agrawal, Fiber-Optic Communication Systems,
 * chapter on amplifiers). It adds spontaneous emission of n_sp h f (G - 1) in each polarisation,
 * where n_sp is half of the noise figure.
 */
class OpticalAmplifier : public OpticalElement
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    double GetLoss() const override;
    void Pass(OpticalSignal& signal) const override;

    /**
     * @param power the power of all wavelengths at the input, W
     * @return the gain, as a ratio
     */
    double GetGain(double power) const;

    /**
     * Set the gain of weak light so that more light has a wanted gain, as far as Gain suffices.
     *
     * @param gain the wanted gain, dB
     * @param power the power of all wavelengths at the input, W
     */
    void Pump(double gain, double power);

  private:
    double m_gain;            //!< Gain of weak light, dB
    double m_noiseFigure;     //!< Noise figure, dB
    double m_saturationPower; //!< Power at which the gain of a unit of length is half, dBm
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_ELEMENT_H */
