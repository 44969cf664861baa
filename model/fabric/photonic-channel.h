/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PHOTONIC_CHANNEL_H
#define PHOTONIC_CHANNEL_H

#include "light-fault.h"

#include "ns3/circuit-plan.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-channel.h"
#include "ns3/optical-error-model.h"
#include "ns3/optical-link.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The light of the longest lightpath that a fabric has carried.
 */
struct LightReport
{
    uint32_t hops{0};              //!< Segments that it covers, or 1 on a fabric without segments
    std::optional<PortPair> ports; //!< Its ends; none if all lightpaths have equal elements
    double margin{0};              //!< Power at its receiver above the sensitivity, dB
    /// Share of the words that a network averages wrong; none on other fabrics
    std::optional<double> averageErrorRate;
    uint32_t amplifiers{0};          //!< Amplifiers that its light passes
    uint32_t stages{0};              //!< Stages of switches that its light passes
    std::optional<LightFault> fault; //!< Why it does not arrive; none if it does
    /// Sentence that switches of their kind turn slower than these; empty if they do not
    std::string turns;
};

/**
 * @ingroup lightpath
 * @brief A fabric that light crosses: knows the elements of its paths.
 *
 * All lightpaths that cover the same number of segments (hops) pass the same elements. The
 * attribute PhysicalLayer says how far the light matters. It has no effect if the child class does
 * not list the elements (MakePath()).
 */
class PhotonicChannel : public FabricChannel
{
  public:
    /// The influence of the light on the fabric.
    enum PhysicalLayer
    {
        NONE,   //!< None: all lightpaths exist
        REPORT, //!< None, but GetLightReport() describes it
        BUDGET, //!< Lightpaths whose light does not arrive are refused
        ERRORS, //!< Frames are lost as often as the light is too weak
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @return the influence of the light
     */
    PhysicalLayer GetPhysicalLayer() const;

    /**
     * Throws std::invalid_argument if no switches have that many ports.
     *
     * @param hops the segments that a lightpath covers
     * @param nPorts the ports of the fabric, which may not be attached yet
     * @return the light along the lightpath, from the source to the photodiode
     */
    LinkBudget GetBudget(uint32_t hops, uint32_t nPorts) const;

    /**
     * @param hops the segments that a lightpath covers
     * @param nPorts the ports of the fabric
     * @return the power at the photodiode above the least with which the error rate is as wanted,
     *         dB; minus infinity if no power is enough. Throws like GetBudget()
     */
    double GetMargin(uint32_t hops, uint32_t nPorts) const;

    /**
     * @param hops the segments that a lightpath covers; 0 to check nothing but what holds for light
     *        of any power: the ports of switches, and the rate and number of wavelengths
     * @param nPorts the ports of the fabric
     * @return why its light does not arrive; none if it does
     */
    std::optional<LightFault> FindFault(uint32_t hops, uint32_t nPorts) const;

    /**
     * @return whether the light of all lightpaths so far arrives with the components in use, as
     *         GetLightReport() says; unknown without a PhysicalLayer, and if the elements are not
     *         known
     */
    std::optional<bool> IsFeasible() const;

    /**
     * @return the ports of the fabric that light passes: those of the devices, or LightPorts where
     *         these stand for more
     */
    uint32_t GetNLightPorts() const;

    /**
     * @param hops the segments that a lightpath covers
     * @param nPorts the ports of the fabric
     * @return the sentence of FindFault(); empty if there is none
     */
    [[nodiscard]] std::string CheckLight(uint32_t hops, uint32_t nPorts) const;

    /**
     * @param nPorts the ports of the fabric
     * @return the most segments, less than the number of ports, that light covers; 0 if it does not
     *         even reach a neighbour
     */
    uint32_t GetReach(uint32_t nPorts) const;

    /**
     * @param report the light of a fabric that has no lightpaths
     */
    void SetLightReport(const LightReport& report);

    /**
     * @return the light of the longest lightpath so far, or that of SetLightReport(); none without
     * a PhysicalLayer, before the first lightpath, and if the elements are not known
     */
    std::optional<LightReport> GetLightReport() const;

    /**
     * @return a sentence that switches of their kind turn slower than these are set to; empty if
     *         they do not, and in the base class
     */
    [[nodiscard]] virtual std::string CheckTurns() const;

    /**
     * @return the wavelengths of a fibre; 1 in the base class
     */
    virtual uint32_t GetFibreWavelengths() const;

    /**
     * Fix the random numbers of the errors of frames, which come up with the light.
     *
     * @param stream the number of the first stream
     * @return the number of streams that are kept for them: none but with the PhysicalLayer Errors
     */
    int64_t AssignStreams(int64_t stream) override;

  protected:
    /**
     * @param plan lightpaths that do not conflict
     * @return with the PhysicalLayer Budget, a message that names the first one whose light does
     *         not arrive; empty if there is none
     */
    [[nodiscard]] std::string CheckBudget(const CircuitPlan& plan) const;

    /**
     * Note the longest of lightpaths that are about to be carried.
     *
     * @param plan the lightpaths
     */
    void NoteLight(const CircuitPlan& plan);

    /**
     * Note a lightpath of a fabric whose lightpaths all have equal elements.
     */
    void NoteLight();

    /**
     * With the PhysicalLayer Errors, set the errors of frames that are striped over lanes.
     *
     * @param ports the ends of the light
     * @param lanes the lanes; nothing happens if there are none
     */
    void SetErrors(PortPair ports, const std::vector<Lane>& lanes) const;

  private:
    /**
     * @param source a port
     * @param destination another port
     * @param lane a lane between them
     * @return the segments that the light of this lane covers; 1 on a fabric without segments, as
     *         the base class
     */
    virtual uint32_t GetHops(uint32_t source, uint32_t destination, Lane lane) const;

    /**
     * @param ports the ends of a lightpath
     * @param lanes its lanes, sorted
     * @return the segments that the longest of them covers
     */
    virtual uint32_t GetMostHops(PortPair ports, const std::vector<Lane>& lanes) const;

    /**
     * @param hops the segments that a lightpath covers
     * @param nPorts the ports of the fabric
     * @return the elements of the lightpath; throws std::invalid_argument if no switches have that
     *         many ports. In the base class none, as of a fabric of which they are not known
     */
    virtual OpticalPath MakePath(uint32_t hops, uint32_t nPorts) const;

    /**
     * @param nPorts the ports of the fabric
     * @return why switches cannot route as many wavelengths as the fabric needs; none if they can,
     *         as in the base class
     */
    virtual std::optional<LightFault> FindChannelFault(uint32_t nPorts) const;

    /**
     * @return whether its switches have turned while it was in use; false in the base class
     */
    virtual bool HasTurned() const;

    /**
     * @return the rate of a wavelength; that of the receivers in the base class
     */
    virtual DataRate GetWavelengthRate() const;

    /**
     * @param hops the segments that each lane covers
     * @return the errors of frames that are striped over the lanes, with their mean error rate of
     *         bits; null if the elements are not known
     */
    Ptr<OpticalErrorModel> GetErrors(std::vector<uint32_t> hops) const;

    PhysicalLayer m_physicalLayer;       //!< The influence of the light
    uint32_t m_lightPorts;               //!< Ports that light passes; 0 for those of the devices
    uint32_t m_hops{0};                  //!< Segments of the longest lightpath so far
    std::optional<PortPair> m_longest;   //!< Its ends
    std::optional<LightReport> m_report; //!< Light of a fabric without lightpaths

    mutable int64_t m_errorStream{-1}; //!< Next stream of errors; -1 for automatic ones

    /// Errors by the segments that lanes cover
    mutable std::map<std::vector<uint32_t>, Ptr<OpticalErrorModel>> m_errors;
};

} // namespace lightpath
} // namespace ns3

#endif /* PHOTONIC_CHANNEL_H */
