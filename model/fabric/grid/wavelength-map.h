/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WAVELENGTH_MAP_H
#define WAVELENGTH_MAP_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The output of each input and wavelength of a passive switch.
 *
 * A group of n members has n inputs, n outputs and n wavelengths. By default, the map is cyclic:
 * wavelength k of input i leads to output (i + k) mod n.
 */
class WavelengthMap
{
  public:
    /// The output of unrouted light, and the wavelength to an output that none leads to.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param size the number of members
     */
    explicit WavelengthMap(uint32_t size = 0);

    /**
     * @return the number of members
     */
    uint32_t GetSize() const;

    /**
     * Route a wavelength of an input.
     *
     * @param input a member
     * @param wavelength a wavelength
     * @param output another member, or NONE
     */
    void SetOutput(uint32_t input, uint32_t wavelength, uint32_t output);

    /**
     * Restrict light to parts of the group: no light leads from one part to another.
     *
     * @param parts the part of each member; NONE for a member that is cut off
     */
    void Restrict(const std::vector<uint32_t>& parts);

    /**
     * @param input a member
     * @param wavelength a wavelength
     * @return the member that the light leads to, or NONE
     */
    uint32_t GetOutput(uint32_t input, uint32_t wavelength) const;

    /**
     * @param input a member
     * @param output another member
     * @return the lowest wavelength that leads from one to the other, or NONE
     */
    uint32_t FindWavelength(uint32_t input, uint32_t output) const;

  private:
    /**
     * @param input a member
     * @param output another member
     * @return true if light may lead from one to the other
     */
    bool IsAllowed(uint32_t input, uint32_t output) const;

    uint32_t m_size;                 //!< Number of members
    std::vector<uint32_t> m_outputs; //!< Outputs by input and wavelength; empty while it is cyclic
    std::vector<uint32_t> m_parts;   //!< Part by member; empty if all are in one
};

} // namespace lightpath
} // namespace ns3

#endif /* WAVELENGTH_MAP_H */
