/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONFIG_READER_H
#define CONFIG_READER_H

#include "config-keys.h"
#include "transformer-shape.h"

#include <map>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reads the keys of a "config.json" (HubConfig) as the shape of a transformer.
 */
class ConfigReader : private ConfigKeys
{
  public:
    /**
     * @param root the object with the keys; it must outlive this object
     * @param type the type of the model
     */
    ConfigReader(const JsonValue& root, const std::string& type);

    /**
     * @return the shape
     */
    TransformerShape Read();

  private:
    /// A family of models.
    struct Family
    {
        void (ConfigReader::*read)(); //!< Reads the keys of its own
        Defaults defaults;            //!< What its files need not state
    };

    /**
     * @return the families, by type; those that are not named are read as Llama
     */
    static const std::map<std::string, Family>& GetFamilies();

    /**
     * @param type a type of models
     * @return its family
     */
    static const Family& GetFamily(const std::string& type);

    /// Read the keys that all models have.
    void ReadCommon();

    /// Read those of GPT-2.
    void ReadGpt2();

    /// Read those of GPT-J.
    void ReadGptJ();

    /// Read those of GPT-NeoX.
    void ReadGptNeox();

    /// Read those of OPT.
    void ReadOpt();

    /// Read those of BLOOM.
    void ReadBloom();

    /// Read those of MPT.
    void ReadMpt();

    /// Read those of Falcon.
    void ReadFalcon();

    /// Read those of the attention and the feed-forward block of Llama.
    void ReadDense();

    /// Read whether products have biases.
    void ReadBiases();

    /// Read the window of the layers that have one.
    void ReadWindow();

    /// Read those of Llama and of models in its manner.
    void ReadLlama();

    /// Read those of Gemma.
    void ReadGemma();

    /// Read those of Command R.
    void ReadCohere();

    /// Read those of models with experts in the manner of Mixtral.
    void ReadMixtral();

    /// Read those of Qwen's models with experts.
    void ReadQwenMoe();

    /// Read those of Qwen3-Next.
    void ReadQwen3Next();

    /// Read those of Llama 4.
    void ReadLlama4();

    /// Read those of GLM-4.
    void ReadGlm();

    /// Read those of GLM-4.5.
    void ReadGlmMoe();

    /// Read those of Nemotron-4.
    void ReadNemotron();

    /// Read those of StarCoder2.
    void ReadStarcoder2();

    /// Read those of DeepSeek-V2 and V3.
    void ReadDeepSeek();

    /// Read those of fine-grained experts, as DeepSeek has them.
    void ReadFineExperts();

    std::string m_type;       //!< Type of the model
    TransformerShape m_shape; //!< The shape
};

} // namespace lightpath
} // namespace ns3

#endif /* CONFIG_READER_H */
