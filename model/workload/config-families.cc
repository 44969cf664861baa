/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "config-reader.h"
#include "transformer-style.h"

#include <algorithm>
#include <map>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Tokens of a sequence of models whose files do not state them.
constexpr uint64_t OLD_SEQUENCE = 2048;

/// The most tokens of a sequence, also of models that extrapolate to more.
constexpr uint64_t LONGEST_SEQUENCE = 1 << 18;

/// What files of Gemma 3 need not state.
const ConfigKeys::Defaults GEMMA3{{"vocab_size", 262208},
                                  {"hidden_size", 2304},
                                  {"intermediate_size", 9216},
                                  {"num_hidden_layers", 26},
                                  {"num_attention_heads", 8},
                                  {"num_key_value_heads", 4},
                                  {"max_position_embeddings", 131072},
                                  {"head_dim", 256},
                                  {"sliding_window", 4096},
                                  {"sliding_window_pattern", 6}};

/// What files of Llama 4 need not state.
const ConfigKeys::Defaults LLAMA4{{"vocab_size", 202048},
                                  {"hidden_size", 5120},
                                  {"intermediate_size", 8192},
                                  {"intermediate_size_mlp", 16384},
                                  {"num_hidden_layers", 48},
                                  {"num_attention_heads", 40},
                                  {"num_key_value_heads", 8},
                                  {"max_position_embeddings", 131072},
                                  {"head_dim", 128},
                                  {"num_local_experts", 16},
                                  {"num_experts_per_tok", 1},
                                  {"attention_chunk_size", 8192}};

/// What files of Falcon and BLOOM need not state.
const ConfigKeys::Defaults FALCON{{"max_position_embeddings", OLD_SEQUENCE}};

/// What files of Qwen3-Next need not state.
const ConfigKeys::Defaults QWEN3_NEXT{{"head_dim", 256},
                                      {"linear_num_key_heads", 16},
                                      {"linear_num_value_heads", 32},
                                      {"linear_key_head_dim", 128},
                                      {"linear_value_head_dim", 128},
                                      {"linear_conv_kernel_dim", 4},
                                      {"full_attention_interval", 4},
                                      {"shared_expert_intermediate_size", 512}};

} // namespace

const std::map<std::string, ConfigReader::Family>&
ConfigReader::GetFamilies()
{
    using C = ConfigReader;
    static const std::map<std::string, Family> families{
        {"RefinedWeb", {&C::ReadFalcon, FALCON}},
        {"RefinedWebModel", {&C::ReadFalcon, FALCON}},
        {"bloom", {&C::ReadBloom, FALCON}},
        {"cohere", {&C::ReadCohere, {}}},
        {"cohere2", {&C::ReadCohere, {{"sliding_window", 4096}, {"sliding_window_pattern", 4}}}},
        {"deepseek_v2", {&C::ReadDeepSeek, {}}},
        {"deepseek_v3", {&C::ReadDeepSeek, {}}},
        {"falcon", {&C::ReadFalcon, FALCON}},
        {"gemma", {&C::ReadGemma, {{"head_dim", 256}}}},
        {"gemma2", {&C::ReadGemma, {{"head_dim", 256}, {"sliding_window", 4096}}}},
        {"gemma3", {&C::ReadGemma, GEMMA3}},
        {"gemma3_text", {&C::ReadGemma, GEMMA3}},
        {"glm", {&C::ReadGlm, {}}},
        {"glm4", {&C::ReadGlm, {}}},
        {"glm4_moe", {&C::ReadGlmMoe, {}}},
        {"gpt2", {&C::ReadGpt2, {}}},
        {"gpt_neox", {&C::ReadGptNeox, {}}},
        {"gpt_oss", {&C::ReadMixtral, {{"head_dim", 64}, {"sliding_window", 128}}}},
        {"gptj", {&C::ReadGptJ, {}}},
        {"kimi_k2", {&C::ReadDeepSeek, {}}},
        {"llama4", {&C::ReadLlama4, LLAMA4}},
        {"llama4_text", {&C::ReadLlama4, LLAMA4}},
        {"mixtral", {&C::ReadMixtral, {}}},
        {"mpt", {&C::ReadMpt, {{"max_position_embeddings", OLD_SEQUENCE}}}},
        {"nemotron", {&C::ReadNemotron, {}}},
        {"opt", {&C::ReadOpt, {}}},
        {"qwen2_moe", {&C::ReadQwenMoe, {{"shared_expert_intermediate_size", 5632}}}},
        {"qwen3_moe", {&C::ReadQwenMoe, {}}},
        {"qwen3_next", {&C::ReadQwen3Next, QWEN3_NEXT}},
        {"starcoder2", {&C::ReadStarcoder2, {}}},
    };
    return families;
}

const ConfigReader::Family&
ConfigReader::GetFamily(const std::string& type)
{
    static const Family llama{&ConfigReader::ReadLlama, {}};
    const auto found = GetFamilies().find(type);
    return found == GetFamilies().end() ? llama : found->second;
}

ConfigReader::ConfigReader(const JsonValue& root, const std::string& type)
    : ConfigKeys(root, GetFamily(type).defaults),
      m_type(type),
      m_shape(TransformerStyle::Make(type))
{
}

TransformerShape
ConfigReader::Read()
{
    ReadCommon();
    (this->*GetFamily(m_type).read)();
    m_shape.vocabulary = Get({"vocab_size"});
    m_shape.tied = Is("tie_word_embeddings", m_shape.tied);
    return m_shape;
}

void
ConfigReader::ReadCommon()
{
    const bool isGpt = m_type == "gpt2" || m_type == "gptj";
    m_shape.layers =
        Get({isGpt ? "n_layer" : "num_hidden_layers", "num_hidden_layers", "n_layer", "n_layers"});
    m_shape.width =
        Get({isGpt ? "n_embd" : "hidden_size", "hidden_size", "n_embed", "n_embd", "d_model"});
    m_shape.heads =
        Get({isGpt ? "n_head" : "num_attention_heads", "num_attention_heads", "n_head", "n_heads"});
    const uint64_t positions = Get({isGpt ? "n_positions" : "max_position_embeddings",
                                    "max_position_embeddings",
                                    "n_positions",
                                    "seq_length",
                                    "max_seq_len"});
    m_shape.sequence = std::min(positions, LONGEST_SEQUENCE);
}

} // namespace lightpath
} // namespace ns3
