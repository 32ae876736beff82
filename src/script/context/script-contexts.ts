import type { ContextVariable, ScriptContext } from './script-context.ts'

const PARAMS: ContextVariable = { name: 'params', type: 'Map' }
const DOC: ContextVariable = { name: 'doc', type: 'Map' }
const SCORE: ContextVariable = { name: '_score', type: 'double' }
/** Null where nothing is explained: scripts then ask before they set it. */
const EXPLANATION: ContextVariable = {
  name: 'explanation',
  type: 'ExplanationHolder',
  argument: true,
}
const CTX: ContextVariable = { name: 'ctx', type: 'Map' }
const STATE: ContextVariable = { name: 'state', type: 'Map' }

const LIMITED: ScriptContext['cache'] = { maxSize: 100, maxCompilationsRate: '75/5m' }
/** Pipelines are stored before they run, so that their scripts are known in number. */
const UNLIMITED: ScriptContext['cache'] = { maxSize: 200, maxCompilationsRate: 'unlimited' }

const context = (
  name: string,
  returns: string,
  variables: readonly ContextVariable[],
  more: Partial<ScriptContext> = {},
): ScriptContext => ({
  name,
  returns,
  variables,
  languages: ['painless'],
  functions: null,
  cache: LIMITED,
  ...more,
})

const BOTH: Partial<ScriptContext> = { languages: ['expression', 'painless'] }

/**
 * Every context, by name. Variables and results are those of the real server's release 3.6, as its
 * `_script_context` and the pages of its painless contexts tell them.
 */
export const SCRIPT_CONTEXTS: ReadonlyMap<string, ScriptContext> = new Map(
  [
    context('aggregation_selector', 'boolean', [PARAMS], BOTH),
    context('aggs', 'def', [PARAMS, DOC, SCORE, { name: '_value', type: 'def' }], BOTH),
    context('aggs_combine', 'def', [PARAMS, STATE]),
    context('aggs_init', 'void', [PARAMS, STATE]),
    context('aggs_map', 'void', [PARAMS, STATE, DOC, SCORE]),
    context('aggs_reduce', 'def', [PARAMS, { name: 'states', type: 'List' }]),
    context('analysis', 'boolean', [{ name: 'token', type: 'AnalysisToken' }]),
    // A boxed result, so that null makes a gap.
    context('bucket_aggregation', 'def', [PARAMS], BOTH),
    context('derived_field', 'void', [PARAMS, DOC], { functions: 'derived_field' }),
    context('field', 'def', [PARAMS, DOC], BOTH),
    context('filter', 'boolean', [PARAMS, DOC], BOTH),
    context('ingest', 'void', [PARAMS, CTX], { cache: UNLIMITED }),
    context('interval', 'boolean', [{ name: 'interval', type: 'Interval' }]),
    context('moving-function', 'double', [PARAMS, { name: 'values', type: 'double[]' }]),
    context('number_sort', 'double', [PARAMS, DOC, SCORE], BOTH),
    context('painless_test', 'def', [PARAMS]),
    context('processor_conditional', 'boolean', [PARAMS, CTX], { cache: UNLIMITED }),
    context('score', 'double', [PARAMS, DOC, SCORE, EXPLANATION], { ...BOTH, functions: 'score' }),
    context('script_heuristic', 'double', [PARAMS]),
    context('search', 'void', [PARAMS, CTX], { cache: UNLIMITED }),
    context('similarity', 'double', [
      { name: 'weight', type: 'double' },
      { name: 'query', type: 'SimilarityQuery' },
      { name: 'field', type: 'SimilarityField' },
      { name: 'term', type: 'SimilarityTerm' },
      { name: 'doc', type: 'SimilarityDoc' },
    ]),
    context('similarity_weight', 'double', [
      { name: 'query', type: 'SimilarityQuery' },
      { name: 'field', type: 'SimilarityField' },
      { name: 'term', type: 'SimilarityTerm' },
    ]),
    context('string_sort', 'String', [PARAMS, DOC, SCORE]),
    context('template', 'String', [PARAMS], { languages: ['mustache'] }),
    context('terms_set', 'Number', [PARAMS, DOC], BOTH),
    context('update', 'void', [PARAMS, CTX]),
  ].map(each => [each.name, each]),
)
