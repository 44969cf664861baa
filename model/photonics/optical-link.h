/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_LINK_H
#define OPTICAL_LINK_H

#include "forward-error-correction.h"
#include "link-budget.h"
#include "optical-receiver.h"

#include "ns3/data-rate.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The transmitter and the receiver of a lane, and the quality of the data that a path
 * brings.
 *
 * Elements have the defaults of their classes (Config::SetDefault()).
 */
class OpticalLink : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    OpticalLink();

    /**
     * @param metres the length of the fibre, m
     * @return the path from a modulator to another chip: waveguide, coupler, fibre, coupler
     */
    static OpticalPath MakeSegment(double metres);

    /**
     * The modulator of a node couples light into a fibre, which passes nodes with all of their
     * rings, those that add light and those that drop it. The last node drops the light.
     * An amplifier in front of the rings of a node, if there is one, makes up for the loss of the
     * node and of a segment when the fibre is full.
     *
     * @param hops the segments of the ring that the lightpath covers, 1 or more
     * @param wavelengths the wavelengths of a fibre
     * @param metres the length of a segment, m
     * @param isAmplified whether nodes amplify the light that passes them
     * @return the path
     */
    static OpticalPath MakeRingPath(uint32_t hops,
                                    uint32_t wavelengths,
                                    double metres,
                                    bool isAmplified);

    /**
     * @param kind the kind of switch (OpticalSwitch::Create())
     * @param ports the ports that are joined, which may take several stages of switches; throws
     *        std::invalid_argument if three are too few
     * @param metres the length of a fibre to or from a switch, m
     * @return the path through the switch
     */
    static OpticalPath MakeSwitchPath(const std::string& kind, uint32_t ports, double metres);

    /**
     * @param path the elements
     * @param wavelengths the wavelengths of a fibre, Spacing of WavelengthGrid apart
     * @return the budget from the source to the photodiode
     */
    LinkBudget GetBudget(const OpticalPath& path, uint32_t wavelengths) const;

    /**
     * @param signal the light at the photodiode
     * @return the error rate of bits in front of the decoder
     */
    double GetBitErrorRate(const OpticalSignal& signal) const;

    /**
     * @param signal the light at the photodiode
     * @return the power above the least power with which the error rate is ErrorRate, less
     *         SystemMargin, dB; minus infinity if no power is enough
     */
    double GetMargin(const OpticalSignal& signal) const;

    /**
     * @return the bit rate of a wavelength that the receiver is made for
     */
    DataRate GetRate() const;

    /**
     * @return the code
     */
    const ForwardErrorCorrection& GetCode() const;

    /**
     * @return the receiver
     */
    const OpticalReceiver& GetReceiver() const;

  private:
    /**
     * @param name the name of the code
     */
    void SetCode(std::string name);

    /**
     * @return the name of the code
     */
    std::string GetCodeName() const;

    OpticalReceiver::Format m_format; //!< Modulation format
    ForwardErrorCorrection m_code;    //!< Code
    double m_errorRate;               //!< Wanted error rate of codewords, or of bits without a code
    double m_systemMargin;            //!< Margin for ageing, dB
    DataRate m_rate;                  //!< Bit rate of a wavelength
    Ptr<OpticalReceiver> m_receiver;  //!< The receiver
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_LINK_H */
