import {
  type AnalyzedStage,
  type AnalyzedToken,
  type AnalyzeOutcome,
  analyze,
  type FieldAnalysis,
} from '../../analysis/analyze.ts'
import { fieldAnalysis } from '../../indexing/storage-kinds.ts'
import { storageOf } from '../../schema/field-type/field-types.ts'
import { indexSettings } from '../../schema/setting-registry.ts'
import { Settings } from '../../schema/settings.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonRecord, JsonValue } from '../../util/json/json-value.ts'
import type { AnalyzeCall } from '../api/analysis.ts'
import { indexClosed } from '../metadata/index-names.ts'
import type { IndexView } from '../metadata/index-view.ts'
import { resolveName } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'

/** Runs `_analyze`; the answer is in wire form. */
export function analyzeText(node: Node, call: AnalyzeCall, context: CallContext): JsonValue {
  node.ensureOpen()
  const view = call.index === null ? null : resolveName(node.metadata, call.index, context)
  const index = view?.index ?? null
  if (index?.isOpen === false) throw indexClosed(index)
  if (call.normalizer !== null && index === null)
    throw new IllegalArgumentError('analysis based on a normalizer requires an index')
  if (call.field !== null && index === null)
    throw new IllegalArgumentError('analysis based on a specific field requires an index')
  // Answers are kept for those who see every field.
  if (view !== null && view.fields !== null) return answer(node, view, call)
  return node.analyzeCache.answer(index ?? node, call, () => answer(node, view, call))
}

function answer(node: Node, view: IndexView | null, call: AnalyzeCall): JsonValue {
  const index = view?.index ?? null
  const outcome = analyze(index?.analysis ?? node.analysis, {
    ...call,
    field: view === null || call.field === null ? null : mappedAnalysis(view, call.field),
    hasIndex: index !== null,
    maxTokenCount:
      indexSettings.number(index?.settings ?? Settings.EMPTY, 'index.analyze.max_token_count') ??
      10_000,
  })
  return printOutcome(outcome)
}

/** The mapping's analysis of a field; null when it is not mapped. */
function mappedAnalysis({ mapping, index }: IndexView, name: string): FieldAnalysis | null {
  const field = mapping.field(name)
  if (field === null) return null
  const analysis = fieldAnalysis(storageOf(field), index.analysis)
  if (analysis === null)
    throw new EngineError({
      type: 'illegal_argument_exception',
      reason: `Can't process field [${name}], Analysis requests are only supported on tokenized fields`,
    })
  return analysis
}

function printOutcome(outcome: AnalyzeOutcome): JsonRecord {
  switch (outcome.kind) {
    case 'tokens':
      return { tokens: outcome.tokens.map(printToken) }
    case 'custom':
      return {
        detail: {
          custom_analyzer: true,
          charfilters: outcome.charFilters.map(({ name, texts }) => ({
            name,
            filtered_text: [...texts],
          })),
          tokenizer: printStage(outcome.tokenizer),
          tokenfilters: outcome.tokenFilters.map(printStage),
        },
      }
    case 'builtIn':
      return { detail: { custom_analyzer: false, analyzer: printStage(outcome.analyzer) } }
  }
}

function printStage(stage: AnalyzedStage): JsonRecord {
  return { name: stage.name, tokens: stage.tokens.map(printToken) }
}

function printToken(token: AnalyzedToken): JsonRecord {
  const base = {
    token: token.token,
    start_offset: token.startOffset,
    end_offset: token.endOffset,
    type: token.type,
    position: token.position,
  }
  if (token.attributes !== null) return { ...base, ...Object.fromEntries(token.attributes) }
  return token.positionLength > 1 ? { ...base, positionLength: token.positionLength } : base
}
