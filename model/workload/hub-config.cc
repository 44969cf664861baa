/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hub-config.h"

#include "json-document.h"
#include "transformer-style.h"

#include <optional>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The largest number: products of two of them have 64 bits; TransformerShape::Check() bounds the
/// rest.
constexpr uint64_t LARGEST_SIZE = 1000000000;

/// Tokens of a sequence of models whose files do not state them.
constexpr uint64_t OLD_SEQUENCE = 2048;

/// The most bytes of a file.
constexpr uint64_t LARGEST_CONFIG = 1 << 20;

/// The layers without a window of Qwen's models whose files do not state them.
constexpr uint64_t USUAL_WHOLE_LAYERS = 28;

/**
 * @brief Reads the keys of a file.
 */
class ConfigReader
{
  public:
    /**
     * @param root the document; it must outlive this object
     */
    explicit ConfigReader(const JsonValue& root)
        : m_root(root)
    {
    }

    /**
     * @return the shape
     */
    TransformerShape Read();

  private:
    /**
     * @param keys keys with the same meaning
     * @return the value of the first one that has a value, which is not null
     */
    std::optional<JsonValue> Find(const std::vector<std::string>& keys) const;

    /**
     * @param keys keys with the same meaning, of which one must have a value
     * @return the number, above 0
     */
    uint64_t Get(const std::vector<std::string>& keys) const;

    /**
     * @param key a key
     * @param usual the number without it
     * @param least the least that it can be
     * @return the number
     */
    uint64_t Get(const std::string& key, uint64_t usual, uint64_t least = 0) const;

    /**
     * @param key a key
     * @param usual the answer without it
     * @return the answer
     */
    bool Is(const std::string& key, bool usual) const;

    /**
     * Refuse another value of a key than the one that the zoo has operators for.
     *
     * @param key the key
     * @param condition whether the value is possible
     * @param right the values that are
     */
    void Require(const std::string& key, bool condition, const std::string& right) const;

    /**
     * Refuse another answer than the one that the zoo has operators for.
     *
     * @param key the key
     * @param right that answer, also without the key
     */
    void RequireAnswer(const std::string& key, bool right) const;

    /**
     * Refuse another activation function than that of the style.
     *
     * @param key the key
     * @param words its names
     */
    void RequireActivation(const std::string& key, const std::vector<std::string>& words) const;

    /**
     * Refuse another activation function than GELU, which may be computed nearly.
     *
     * @param key the key
     */
    void RequireGelu(const std::string& key) const;

    /// Read the keys that all models have.
    void ReadCommon();

    /// Read those of GPT-2.
    void ReadGpt2();

    /// Read those of GPT-NeoX.
    void ReadGptNeox();

    /// Read those of OPT.
    void ReadOpt();

    /// Read those of BLOOM.
    void ReadBloom();

    /// Read those of Falcon.
    void ReadFalcon();

    /// Read those of Llama and of models in its manner.
    void ReadLlama();

    /// Read those of DeepSeek-V2 and V3.
    void ReadDeepSeek();

    const JsonValue& m_root;  //!< The document
    std::string m_type;       //!< Type of the model
    TransformerShape m_shape; //!< The shape
};

std::optional<JsonValue>
ConfigReader::Find(const std::vector<std::string>& keys) const
{
    for (const auto& key : keys)
    {
        const auto value = m_root.Find(key);
        if (value && !value->IsNull())
        {
            return value;
        }
    }
    return std::nullopt;
}

uint64_t
ConfigReader::Get(const std::vector<std::string>& keys) const
{
    const auto value = Find(keys);
    // The first one is refused by name if it has no value
    return (value ? *value : m_root.Get(keys[0])).GetWhole(1, LARGEST_SIZE);
}

uint64_t
ConfigReader::Get(const std::string& key, uint64_t usual, uint64_t least) const
{
    const auto value = Find({key});
    return value ? value->GetWhole(least, LARGEST_SIZE) : usual;
}

bool
ConfigReader::Is(const std::string& key, bool usual) const
{
    const auto value = Find({key});
    return value ? value->GetBoolean() : usual;
}

void
ConfigReader::Require(const std::string& key, bool condition, const std::string& right) const
{
    if (!condition)
    {
        m_root.Get(key).Fail("there are no operators for this value: it must be " + right);
    }
}

void
ConfigReader::RequireAnswer(const std::string& key, bool right) const
{
    Require(key, Is(key, right) == right, right ? "true" : "false");
}

void
ConfigReader::RequireActivation(const std::string& key, const std::vector<std::string>& words) const
{
    if (const auto value = Find({key}))
    {
        value->GetWord(words);
    }
}

void
ConfigReader::RequireGelu(const std::string& key) const
{
    RequireActivation(key, {"gelu", "gelu_new", "gelu_fast", "gelu_python", "gelu_pytorch_tanh"});
}

TransformerShape
ConfigReader::Read()
{
    const std::vector<std::string> types = TransformerStyle::GetNames();
    m_type = types[m_root.Get(HubConfig::TYPE).GetWord(types)];
    m_shape = TransformerStyle::Make(m_type);
    if (m_type == "gpt2")
    {
        ReadGpt2();
    }
    else
    {
        ReadCommon();
    }
    m_shape.vocabulary = Get({"vocab_size"});
    m_shape.tied = Is("tie_word_embeddings", m_shape.tied);
    return m_shape;
}

void
ConfigReader::ReadCommon()
{
    const bool isOld = m_type == "bloom" || m_type == "falcon";
    m_shape.layers = Get({"num_hidden_layers", "n_layer"});
    m_shape.width = Get({"hidden_size", "n_embed"});
    m_shape.heads = Get({"num_attention_heads", "n_head"});
    m_shape.sequence = isOld ? Get("max_position_embeddings", Get("seq_length", OLD_SEQUENCE, 1), 1)
                             : Get({"max_position_embeddings"});
    if (m_type == "gpt_neox")
    {
        ReadGptNeox();
    }
    else if (m_type == "opt")
    {
        ReadOpt();
    }
    else if (m_type == "bloom")
    {
        ReadBloom();
    }
    else if (m_type == "falcon")
    {
        ReadFalcon();
    }
    else if (m_type == "deepseek_v2" || m_type == "deepseek_v3")
    {
        ReadDeepSeek();
    }
    else
    {
        ReadLlama();
    }
}

void
ConfigReader::ReadGpt2()
{
    m_shape.layers = Get({"n_layer", "num_hidden_layers"});
    m_shape.width = Get({"n_embd", "hidden_size"});
    m_shape.heads = Get({"n_head", "num_attention_heads"});
    m_shape.sequence = Get({"n_positions", "max_position_embeddings"});
    m_shape.positions = m_shape.sequence;
    m_shape.feedForward = Get("n_inner", 4 * m_shape.width, 1);
    RequireGelu("activation_function");
    RequireAnswer("add_cross_attention", false);
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
    RequireActivation("activation_function", {"relu"});
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
ConfigReader::ReadFalcon()
{
    // The normalisations of a layer whose blocks stand beside each other
    constexpr uint64_t NORMS = 2;
    const bool isNew = Is("new_decoder_architecture", false);
    Require("num_ln_in_parallel_attn",
            !isNew || Get("num_ln_in_parallel_attn", NORMS) == NORMS,
            std::to_string(NORMS));
    RequireGelu("activation");
    const uint64_t all = isNew ? Get("num_kv_heads", m_shape.heads, 1) : m_shape.heads;
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
ConfigReader::ReadLlama()
{
    m_shape.kvHeads = Get("num_key_value_heads", m_shape.heads, 1);
    m_shape.headWidth = Get("head_dim", 0, 1);
    m_shape.feedForward = Get({"intermediate_size"});
    RequireActivation("hidden_act", {"silu", "swish"});
    const bool hasBiases = Is("attention_bias", false);
    Require("attention_bias", !hasBiases || Is("mlp_bias", false), "false, or mlp_bias true, too");
    Require("mlp_bias", hasBiases || !Is("mlp_bias", false), "false, or attention_bias true, too");
    if (hasBiases)
    {
        m_shape.biases = TransformerBiases::ALL;
    }
    if (Is("use_sliding_window", m_type == "mistral" || m_type == "mixtral"))
    {
        const uint64_t usual = m_type.rfind("qwen", 0) == 0 ? USUAL_WHOLE_LAYERS : 0;
        Require("max_window_layers",
                Get("max_window_layers", usual) == 0,
                "0 with use_sliding_window");
        m_shape.window = Get("sliding_window", 0, 1);
    }
    if (m_type == "mixtral")
    {
        m_shape.experts = Get({"num_local_experts"});
        m_shape.topK = Get({"num_experts_per_tok"});
    }
    else if (m_type == "qwen3_moe")
    {
        m_shape.experts = Get({"num_experts"});
        m_shape.topK = Get({"num_experts_per_tok"});
        m_shape.expertPeriod = Get("decoder_sparse_step", 1, 1);
        m_shape.denseFeedForward = m_shape.expertPeriod > 1 ? m_shape.feedForward : 0;
        m_shape.feedForward = Get({"moe_intermediate_size"});
    }
}

void
ConfigReader::ReadDeepSeek()
{
    RequireActivation("hidden_act", {"silu", "swish"});
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
}

} // namespace

TransformerShape
HubConfig::Read(std::istream& input, const std::string& name)
{
    bool hasDenseLayers = false;
    const JsonDocument document(
        input,
        name,
        [&hasDenseLayers](const std::string& key, const JsonValue&) {
            hasDenseLayers = hasDenseLayers || key == "mlp_only_layers";
        },
        LARGEST_CONFIG,
        std::string("{\"") + TYPE + "\": \"llama\"");
    const JsonValue root = document.GetRoot();
    if (hasDenseLayers)
    {
        root.Get("mlp_only_layers")
            .Fail("there are no operators for layers without experts between others: it must be an "
                  "empty list");
    }
    TransformerShape shape = ConfigReader(root).Read();
    shape.name = name;
    return shape;
}

} // namespace lightpath
} // namespace ns3
