/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WAVELENGTH_GRID_H
#define WAVELENGTH_GRID_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The wavelengths of a fibre, at equal distances in frequency as in ITU-T G.694.1.
 */
class WavelengthGrid : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param index the index of a wavelength
     * @return its frequency, Hz
     */
    double GetFrequency(uint32_t index) const;

    /**
     * @return the distance of wavelengths, Hz
     */
    double GetSpacing() const;

  private:
    double m_first;   //!< Frequency of the first wavelength, Hz
    double m_spacing; //!< Distance of wavelengths, Hz
};

} // namespace lightpath
} // namespace ns3

#endif /* WAVELENGTH_GRID_H */
