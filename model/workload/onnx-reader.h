/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ONNX_READER_H
#define ONNX_READER_H

#include "onnx-graph.h"
#include "operator-graph.h"
#include "zoo-entry.h"

#include <string>
#include <string_view>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reads an ONNX graph as the graph of a training iteration.
 *
 * Shapes, operations, bytes and parameters follow from the operators; see OnnxShapes and
 * OnnxOperator. Parameters are the floating-point initial values with one dimension or more that
 * operators use; several operators may share one. The first dimension of the first input is the
 * batch. A layer begins wherever a single tensor with a gradient leads on to a product with
 * parameters.
 *
 * What cannot be worked out is refused by std::invalid_argument, which names the node, and so are
 * damaged files.
 */
class OnnxReader
{
  public:
    /// The end of the name of such a file.
    static constexpr const char* ENDING = ".onnx";

    /**
     * @param name the name of a file
     * @return the model; its open dimensions are options
     */
    static ZooEntry ReadFile(const std::string& name);

    /**
     * @param text the contents of a file; they need not outlive the call
     * @param name the name of the model
     * @return the model; its open dimensions are options
     */
    static ZooEntry Read(std::string_view text, const std::string& name);
};

} // namespace lightpath
} // namespace ns3

#endif /* ONNX_READER_H */
