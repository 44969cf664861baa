/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "convergence-task.h"

namespace ns3
{
namespace lightpath
{

namespace
{

/// A row as in the sources: batch and data.
using Figure = ConvergenceTask::Row;

/// The reference convergence points of MLPerf Training.
const char* const REFERENCE =
    "MLPerf Training, reference convergence points (means over 6 to 30 runs)";

/**
 * Set the rows of a task and, with them, the range of its batches.
 *
 * @param [out] task the task
 * @param rows the rows, by ascending batch
 */
void
SetRows(ConvergenceTask& task, std::vector<Figure> rows)
{
    task.rows = std::move(rows);
    task.leastBatch = task.rows.front().batch;
    task.mostBatch = task.rows.back().batch;
}

/**
 * Set the fit of a task.
 *
 * @param [out] task the task
 * @param data its N0, in units
 * @param batch its Bc, in items
 * @param error its largest error against the rows, relative, to three digits
 */
void
SetFit(ConvergenceTask& task, double data, double batch, double error)
{
    task.fitData = data;
    task.fitBatch = batch;
    task.fitError = error;
}

/**
 * Make a task of the reference convergence points whose data is counted in epochs of an unknown
 * number of items.
 *
 * @param name its name
 * @param target when training ends
 * @param item the unit of a batch
 * @return the task, without rows and fit
 */
ConvergenceTask
MakeEpochs(const std::string& name, const std::string& target, const std::string& item)
{
    ConvergenceTask task;
    task.name = name;
    task.target = target;
    task.source = REFERENCE;
    task.item = item;
    task.unit = "epochs";
    return task;
}

/**
 * Make a task of the reference convergence points whose data is counted in the unit of its batch.
 *
 * @param name its name
 * @param target when training ends
 * @param item the unit of a batch
 * @return the task, without rows and fit
 */
ConvergenceTask
MakeItems(const std::string& name, const std::string& target, const std::string& item)
{
    ConvergenceTask task = MakeEpochs(name, target, item);
    task.unit = item;
    task.itemsPerUnit = 1;
    return task;
}

/**
 * @return ResNet-50 by LARS on ImageNet, of which an epoch has 1 281 167 images
 */
ConvergenceTask
MakeResnet50()
{
    ConvergenceTask task = MakeEpochs("resnet50", "75.9 % top-1", "images");
    task.itemsPerUnit = 1281167;
    SetRows(task,
            {{1632, 35.0, 35.0},
             {3264, 35.2, 35.2},
             {4096, 40.0, 40.0},
             {8192, 42.0, 42.0},
             {13056, 45.4, 45.4},
             {32768, 56.0, 56.0},
             {49152, 68.0, 68.0},
             {58880, 79.9, 79.9},
             {65536, 84.5, 84.5},
             {67840, 85.86, 85.86}});
    SetFit(task, 34.58, 46909, 0.060);
    return task;
}

/**
 * @return the second phase of BERT-large, with sequences of 512 tokens
 */
ConvergenceTask
MakeBertLarge()
{
    ConvergenceTask task =
        MakeItems("bert-large", "0.72 masked-LM accuracy (phase 2)", "sequences");
    SetRows(task,
            {{256, 2552704, 2552704},
             {448, 2410630, 2410630},
             {1536, 2777588, 2777588},
             {3072, 2768215, 2768215},
             {4096, 2843443, 2843443},
             {4608, 2794752, 2794752},
             {6144, 3321446, 3321446},
             {6912, 3596122, 3596122},
             {8192, 4191437, 4191437},
             {8704, 4278144, 4278144},
             {12288, 4470336, 4470336},
             {13056, 4632576, 4632576},
             {16384, 5504307, 5504307}});
    SetFit(task, 2316912, 12720, 0.129);
    return task;
}

/**
 * @return DLRM on one terabyte of click logs
 */
ConvergenceTask
MakeDlrm()
{
    ConvergenceTask task = MakeEpochs("dlrm", "0.8025 AUC", "samples");
    SetRows(task, {{32768, 1.755, 1.755}, {55296, 1.902, 1.902}, {71680, 1.998, 1.998}});
    SetFit(task, 1.551, 247160, 0.002);
    return task;
}

/**
 * @return DLRM with cross layers (DCNv2)
 */
ConvergenceTask
MakeDlrmDcnv2()
{
    ConvergenceTask task = MakeEpochs("dlrm-dcnv2", "0.80275 AUC", "samples");
    SetRows(task,
            {{32768, 0.707, 0.707},
             {55296, 0.763, 0.763},
             {65536, 0.793, 0.793},
             {102400, 0.89, 0.89},
             {135168, 0.928, 0.928},
             {160000, 0.957, 0.957}});
    SetFit(task, 0.6518, 319507, 0.033);
    return task;
}

/**
 * @return GPT-3 175B with sequences of 2048 tokens, which goes on from a checkpoint
 */
ConvergenceTask
MakeGpt3()
{
    ConvergenceTask task =
        MakeEpochs("gpt3-175b", "2.69 log perplexity (from the checkpoint)", "sequences");
    task.unit = "tokens";
    task.itemsPerUnit = 1;
    task.unitsPerItem = 2048;
    SetRows(task,
            {{1536, 1.1996e9, 1.1996e9},
             {2048, 1.1828e9, 1.1828e9},
             {3072, 1.2163e9, 1.2163e9},
             {4096, 1.2667e9, 1.2667e9},
             {8192, 1.6274e9, 1.6274e9}});
    SetFit(task, 1.0486e9, 16076, 0.042);
    return task;
}

/**
 * @return Llama 3.1 8B, of which only the fit is kept
 */
ConvergenceTask
MakeLlama8b()
{
    ConvergenceTask task = MakeItems("llama3.1-8b", "3.3 log perplexity", "sequences");
    task.leastBatch = 16;
    task.mostBatch = 128;
    task.fittedElsewhere = true;
    SetFit(task, 132135, 84.0, 0.04);
    return task;
}

/**
 * @return Llama 3.1 405B, which goes on from a checkpoint and of which only the fit is kept
 */
ConvergenceTask
MakeLlama405b()
{
    ConvergenceTask task =
        MakeItems("llama3.1-405b", "5.6 log perplexity (from the checkpoint)", "sequences");
    task.leastBatch = 1152;
    task.mostBatch = 4608;
    task.fittedElsewhere = true;
    SetFit(task, 254070, 5021, 0.01);
    return task;
}

/**
 * @return Mask R-CNN on COCO
 */
ConvergenceTask
MakeMaskRcnn()
{
    ConvergenceTask task =
        MakeEpochs("maskrcnn", "0.377 box and 0.339 mask average precision", "images");
    SetRows(task, {{8, 12.7, 12.7}, {48, 14, 14}, {96, 14.05, 14.05}, {256, 17.1, 17.1}});
    SetFit(task, 12.726, 752.78, 0.033);
    return task;
}

/**
 * @return RNN-T on LibriSpeech
 */
ConvergenceTask
MakeRnnt()
{
    ConvergenceTask task = MakeEpochs("rnnt", "0.058 word error rate", "utterances");
    SetRows(task,
            {{512, 42.05, 42.05},
             {1024, 44.6, 44.6},
             {2048, 56.5, 56.5},
             {3072, 65.1, 65.1},
             {6144, 96.1, 96.1}});
    SetFit(task, 36.103, 3741.9, 0.031);
    return task;
}

/**
 * @return the single-shot detector RetinaNet on Open Images
 */
ConvergenceTask
MakeSsd()
{
    ConvergenceTask task = MakeEpochs("ssd", "34.0 % mean average precision (RetinaNet)", "images");
    SetRows(task, {{256, 4, 4}, {512, 5, 5}, {1024, 6, 6}, {2048, 7.9, 7.9}, {4096, 15.1, 15.1}});
    SetFit(task, 3.397, 1320.8, 0.097);
    return task;
}

/**
 * @return translation by GNMT
 */
ConvergenceTask
MakeGnmt()
{
    ConvergenceTask task = MakeEpochs("gnmt", "24.0 BLEU", "sentence pairs");
    task.source = "MLPerf Training v0.6 and v0.7, logs";
    task.fittedElsewhere = true;
    SetRows(
        task,
        {{2048, 4.0, 4.0}, {4096, 5.75, 6}, {8192, 6.1, 7}, {12288, 7.6, 7.6}, {16384, 9.0, 9.0}});
    SetFit(task, 3.608, 10893, 0.137);
    return task;
}

/**
 * Translation by the big transformer. With padding, the batches have 81 920, 110 592, 131 072,
 * 614 400 and 737 280 tokens; only real tokens count, and the data is their number times the
 * updates of the logs. For the largest batch the logs give 630 000 to 669 000 real tokens; the
 * upper end of the range of the fit stands for it.
 *
 * @return the task
 */
ConvergenceTask
MakeTransformerBig()
{
    ConvergenceTask task = MakeItems("transformer-big", "25.0 BLEU", "tokens");
    task.source = "MLPerf Training v0.6 and v0.7, logs of NVIDIA";
    task.fittedElsewhere = true;
    SetRows(task,
            {{74794, 74794 * 5232.0, 74794 * 5232.0},
             {100771, 100771 * 3760.0, 100771 * 3760.0},
             {118868, 118868 * 3410.0, 118868 * 3525.0},
             {537267, 537267 * 1256.0, 537267 * 1256.0},
             {668530, 668530 * 990.0, 668530 * 1052.0}});
    SetFit(task, 3.403e8, 596799, 0.050);
    return task;
}

} // namespace

const std::vector<ConvergenceTask>&
ConvergenceTask::GetAll()
{
    static const std::vector<ConvergenceTask> tasks = {
        MakeBertLarge(),
        MakeDlrm(),
        MakeDlrmDcnv2(),
        MakeGnmt(),
        MakeGpt3(),
        MakeLlama405b(),
        MakeLlama8b(),
        MakeMaskRcnn(),
        MakeResnet50(),
        MakeRnnt(),
        MakeSsd(),
        MakeTransformerBig(),
    };
    return tasks;
}

} // namespace lightpath
} // namespace ns3
