/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACCELERATOR_FILE_H
#define ACCELERATOR_FILE_H

#include "accelerator.h"
#include "model/base/json-value.h"

#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An accelerator as a file describes it: its figures, and where each of them is from.
 *
 * The presets are the files of data/accelerators, which are part of the library:
 *
 *     {"format": "lightpath-accelerator", "version": 1,
 *      "name": "A100-40", "description": "NVIDIA A100 SXM, 40 GB", "base": "A100",
 *      "figures": [
 *        {"confidence": "published", "source": "NVIDIA's data sheet",
 *         "values": {"memoryBytesPerSecond": 1555e9, "memoryGib": 40}}]}
 *
 * Figures that a file does not state are those of its base, a preset. A file that states one of the
 * four peaks of matrix products takes none of them from its base: precisions that it leaves out are
 * refused, but single precision then has the peak of FP32. Nor does a file with one GPU in a server
 * take the rate in a server. A file of utils/measure-operators.py also has a "provenance": date,
 * device, driver and versions. A faulty file is refused by std::invalid_argument.
 */
class AcceleratorFile
{
  public:
    /// A figure.
    struct Figure
    {
        std::string key;        //!< Its key, with its unit
        double value{0};        //!< Its value
        std::string confidence; //!< One of GetConfidences()
        std::string source;     //!< Where it is from, or how it was found
        std::string file;       //!< Name of the accelerator whose file states it
    };

    /// How a measured file was made.
    struct Fact
    {
        std::string key;  //!< One of the keys that a provenance may have
        std::string text; //!< Its value
    };

    /**
     * @return the degrees of confidence in a figure: "published" in its source, "measured" there,
     * "recalled" without looking it up, "fitted" to measurements, "inherited" from a base for
     * which they were fitted, "derived" from other figures, "assumed"
     */
    static const std::vector<std::string>& GetConfidences();

    /**
     * @return the names of the presets, in ascending order
     */
    static std::vector<std::string> GetPresets();

    /**
     * @param name the name of a preset, or of a file, which ends in ".json"
     */
    explicit AcceleratorFile(const std::string& name);

    /**
     * @param input the text
     * @param name the name of the document in sentences
     */
    AcceleratorFile(std::istream& input, const std::string& name);

    /**
     * @return its description in a few words
     */
    const std::string& GetDescription() const;

    /**
     * @return the figures, also those of the base, in the order of the documents
     */
    const std::vector<Figure>& GetFigures() const;

    /**
     * @return when and with what its figures were measured, as the document says; empty if it does
     *         not
     */
    const std::vector<Fact>& GetProvenance() const;

    /**
     * @return the accelerator
     */
    const Accelerator& GetAccelerator() const;

  private:
    /**
     * @param input the text
     * @param name the name of the document in sentences
     */
    void Read(std::istream& input, const std::string& name);

    /**
     * @param group figures with the same source
     */
    void TakeGroup(const JsonValue& group);

    /**
     * Add the figures of the base that the document does not state.
     *
     * @param name the name of the base
     */
    void TakeBase(const std::string& name);

    /**
     * @param key the key of a figure
     * @return the figure; null if there is none
     */
    const Figure* Find(const std::string& key) const;

    /**
     * Set the members of the accelerator.
     *
     * @param name the name of the document in sentences
     */
    void SetFigures(const std::string& name);

    /**
     * @param provenance when and with what figures were measured
     */
    void TakeProvenance(const JsonValue& provenance);

    std::string m_description;      //!< Its description
    std::vector<Figure> m_figures;  //!< The figures
    std::vector<Fact> m_provenance; //!< When and with what they were measured
    Accelerator m_accelerator;      //!< The accelerator
};

} // namespace lightpath
} // namespace ns3

#endif /* ACCELERATOR_FILE_H */
