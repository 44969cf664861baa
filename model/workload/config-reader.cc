/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "config-reader.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The layers without a window of Qwen's models whose files do not state them.
constexpr uint64_t USUAL_WHOLE_LAYERS = 28;

} // namespace

void
ConfigReader::ReadGpt2()
{
    m_shape.positions = m_shape.sequence;
    m_shape.feedForward = Get("n_inner", 4 * m_shape.width, 1);
    RequireGelu("activation_function");
    RequireAnswer("add_cross_attention", false);
}

void
ConfigReader::ReadGptJ()
{
    m_shape.feedForward = Get("n_inner", 4 * m_shape.width, 1);
    RequireGelu("activation_function");
}

void
ConfigReader::ReadGptNeox()
{
    m_shape.feedForward = Get({"intermediate_size"});
    RequireGelu("hidden_act");
    RequireAnswer("attention_bias", true);
    if (!Is("use_parallel_residual", true))
    {
        m_shape.order = TransformerOrder::SERIAL;
    }
}

void
ConfigReader::ReadOpt()
{
    // The first two rows of the table belong to no position
    constexpr uint64_t OFFSET = 2;
    m_shape.feedForward = Get({"ffn_dim"});
    m_shape.positions = m_shape.sequence + OFFSET;
    m_shape.normFirst = Is("do_layer_norm_before", true);
    Require("word_embed_proj_dim",
            Get("word_embed_proj_dim", m_shape.width, 1) == m_shape.width,
            "hidden_size");
    RequireWord("activation_function", {"relu"});
    RequireAnswer("enable_bias", true);
    RequireAnswer("layer_norm_elementwise_affine", true);
    RequireAnswer("_remove_final_layer_norm", false);
}

void
ConfigReader::ReadBloom()
{
    m_shape.feedForward = 4 * m_shape.width;
}

void
ConfigReader::ReadMpt()
{
    m_shape.feedForward = Get("expansion_ratio", 4, 1) * m_shape.width;
    if (!Is("no_bias", true))
    {
        m_shape.norm = TransformerNorm::LAYER;
        m_shape.biases = TransformerBiases::ALL;
    }
    if (const auto attention = Find({"attn_config"}))
    {
        const ConfigKeys keys(*attention, {});
        keys.RequireWord(
            "attn_type",
            {"multihead_attention", "multiquery_attention", "grouped_query_attention"});
        keys.RequireAnswer("qk_ln", false);
        const auto type = keys.Find({"attn_type"});
        const bool isShared = type && type->GetText() == "multiquery_attention";
        m_shape.kvHeads = isShared ? 1 : keys.Get("kv_n_heads", m_shape.heads, 1);
        if (!keys.Is("alibi", true))
        {
            m_shape.coding =
                keys.Is("rope", false) ? TransformerPositions::ROTARY : TransformerPositions::TABLE;
        }
    }
    const bool hasTable = m_shape.coding == TransformerPositions::TABLE;
    m_shape.positions = hasTable && Is("learned_pos_emb", true) ? m_shape.sequence : 0;
}

void
ConfigReader::ReadFalcon()
{
    // The normalisations of a layer whose blocks stand beside each other
    constexpr uint64_t NORMS = 2;
    const bool isNew = Is("new_decoder_architecture", m_type == "RefinedWeb");
    Require("num_ln_in_parallel_attn",
            !isNew || Get("num_ln_in_parallel_attn", NORMS) == NORMS,
            std::to_string(NORMS));
    RequireGelu("activation");
    const uint64_t all =
        isNew ? Get("num_kv_heads", Get("n_head_kv", m_shape.heads, 1), 1) : m_shape.heads;
    m_shape.kvHeads = !isNew && Is("multi_query", true) ? 1 : all;
    m_shape.feedForward = Get("ffn_hidden_size", 4 * m_shape.width, 1);
    if (!isNew)
    {
        m_shape.order =
            Is("parallel_attn", true) ? TransformerOrder::PARALLEL : TransformerOrder::SERIAL;
    }
    if (Is("bias", false))
    {
        m_shape.biases = TransformerBiases::ALL;
    }
    if (Is("alibi", false))
    {
        m_shape.coding = TransformerPositions::BIAS;
    }
}

void
ConfigReader::ReadDense()
{
    m_shape.kvHeads = Get("num_key_value_heads", m_shape.heads, 1);
    m_shape.headWidth = Get("head_dim", 0, 1);
    m_shape.feedForward = Get({"intermediate_size"});
}

void
ConfigReader::ReadBiases()
{
    const bool hasAttention = Is("attention_bias", false);
    const bool hasFeedForward = Is("mlp_bias", false);
    m_shape.biases = hasAttention && hasFeedForward ? TransformerBiases::ALL
                     : hasAttention                 ? TransformerBiases::ATTENTION
                     : hasFeedForward               ? TransformerBiases::FEED_FORWARD
                                                    : m_shape.biases;
}

void
ConfigReader::ReadWindow()
{
    const bool isQwen = m_type.rfind("qwen", 0) == 0;
    if (isQwen ? Is("use_sliding_window", false) : m_type != "llama")
    {
        Require("max_window_layers",
                !isQwen || Get("max_window_layers", USUAL_WHOLE_LAYERS) == 0,
                "0 with use_sliding_window");
        m_shape.window = Get("sliding_window", 0, 1);
    }
    m_shape.windowPeriod = Get("sliding_window_pattern", m_shape.windowPeriod);
}

void
ConfigReader::ReadLlama()
{
    ReadDense();
    RequireWord("hidden_act", {"silu", "swish"});
    ReadBiases();
    ReadWindow();
}

void
ConfigReader::ReadGemma()
{
    ReadDense();
    RequireGelu("hidden_act", {"silu", "swish"});
    ReadBiases();
    ReadWindow();
}

void
ConfigReader::ReadCohere()
{
    ReadLlama();
    m_shape.headNorm = Is("use_qk_norm", false);
}

void
ConfigReader::ReadMixtral()
{
    const bool isOss = m_type == "gpt_oss";
    ReadDense();
    RequireWord("hidden_act", {"silu", "swish"});
    ReadWindow();
    if (isOss && !Is("attention_bias", true))
    {
        m_shape.biases = TransformerBiases::FEED_FORWARD;
    }
    else if (!isOss)
    {
        ReadBiases();
    }
    m_shape.experts = Get({"num_local_experts"});
    m_shape.topK = Get({"num_experts_per_tok", "experts_per_token"});
}

void
ConfigReader::ReadQwenMoe()
{
    ReadLlama();
    if (!Is("qkv_bias", true) && m_shape.biases == TransformerBiases::QUERIES)
    {
        m_shape.biases = TransformerBiases::NONE;
    }
    m_shape.experts = Get({"num_experts"});
    m_shape.topK = Get({"num_experts_per_tok"});
    m_shape.expertPeriod = Get("decoder_sparse_step", 1, 1);
    m_shape.denseFeedForward = m_shape.expertPeriod > 1 ? m_shape.feedForward : 0;
    m_shape.feedForward = Get({"moe_intermediate_size"});
    if (m_shape.sharedExperts > 0)
    {
        m_shape.sharedWidth = Get({"shared_expert_intermediate_size"});
    }
}

void
ConfigReader::ReadQwen3Next()
{
    ReadQwenMoe();
    m_shape.linear.period = Get({"full_attention_interval"});
    m_shape.linear.keyHeads = Get({"linear_num_key_heads"});
    m_shape.linear.valueHeads = Get({"linear_num_value_heads"});
    m_shape.linear.keyWidth = Get({"linear_key_head_dim"});
    m_shape.linear.valueWidth = Get({"linear_value_head_dim"});
    m_shape.linear.kernel = Get({"linear_conv_kernel_dim"});
}

void
ConfigReader::ReadLlama4()
{
    ReadDense();
    RequireWord("hidden_act", {"silu", "swish"});
    ReadBiases();
    m_shape.window = Get({"attention_chunk_size"});
    m_shape.experts = Get({"num_local_experts"});
    m_shape.topK = Get({"num_experts_per_tok"});
    m_shape.expertPeriod = Get("interleave_moe_layer_step", 1, 1);
    m_shape.denseFeedForward = Get({"intermediate_size_mlp"});
}

void
ConfigReader::ReadGlm()
{
    ReadDense();
    RequireWord("hidden_act", {"silu", "swish"});
    // The output projection has none
    m_shape.biases = Is("attention_bias", false) ? TransformerBiases::QUERIES : m_shape.biases;
}

void
ConfigReader::ReadGlmMoe()
{
    ReadGlm();
    ReadFineExperts();
    m_shape.headNorm = Is("use_qk_norm", false);
    m_shape.futureTokens = Get("num_nextn_predict_layers", 0);
}

void
ConfigReader::ReadNemotron()
{
    ReadDense();
    RequireWord("hidden_act", {"relu2"});
    ReadBiases();
}

void
ConfigReader::ReadStarcoder2()
{
    ReadDense();
    // SiLU costs about the same
    RequireGelu("hidden_act", {"silu", "swish"});
    ReadWindow();
    if (!Is("use_bias", true))
    {
        m_shape.biases = TransformerBiases::NONE;
    }
}

void
ConfigReader::ReadDeepSeek()
{
    RequireWord("hidden_act", {"silu", "swish"});
    RequireAnswer("attention_bias", false);
    m_shape.headWidth = Get({"qk_nope_head_dim"});
    m_shape.latent.queryRank = Get("q_lora_rank", 0, 1);
    m_shape.latent.keyRank = Get({"kv_lora_rank"});
    m_shape.latent.rotaryWidth = Get({"qk_rope_head_dim"});
    m_shape.latent.valueWidth = Get({"v_head_dim"});
    m_shape.feedForward = Get({"intermediate_size"});
    m_shape.futureTokens = Get("num_nextn_predict_layers", 0);
    if (Find({"n_routed_experts"}))
    {
        ReadFineExperts();
    }
}

void
ConfigReader::ReadFineExperts()
{
    m_shape.denseFeedForward = m_shape.feedForward;
    m_shape.feedForward = Get({"moe_intermediate_size"});
    m_shape.experts = Get({"n_routed_experts"});
    m_shape.topK = Get({"num_experts_per_tok"});
    m_shape.expertGroups = Get("n_group", 1, 1);
    m_shape.topGroups = Get("topk_group", 1, 1);
    m_shape.sharedExperts = Get("n_shared_experts", 0);
    m_shape.denseLayers = Get("first_k_dense_replace", 0);
    Require("moe_layer_freq", Get("moe_layer_freq", 1) == 1, "1");
}

} // namespace lightpath
} // namespace ns3
