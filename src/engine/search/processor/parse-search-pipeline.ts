/** Definitions of search pipelines, read into pipelines that run. */
import { configError, ProcessorConfig } from '../../../pipeline/processor-config.ts'
import { javaText } from '../../../script/value/java-text.ts'
import {
  classNameOf,
  type ScriptMap,
  type ScriptValue,
} from '../../../script/value/script-value.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { notSupportedYet } from '../../dsl/parse-error.ts'
import type { ProcessorKind } from './allowed-processors.ts'
import { PHASE_PROCESSORS } from './phase-processors.ts'
import type { ProcessorTable } from './processor-table.ts'
import { REQUEST_PROCESSORS } from './request-processors.ts'
import { RESPONSE_PROCESSORS } from './response-processors.ts'
import type { ProcessorSetup, SearchPipeline, SearchProcessor } from './search-processor.ts'

/** A property of no processor in particular. */
const NOBODY = { type: null, tag: null }

/** The keys of a definition that hold processors. */
const LISTS: Readonly<Record<ProcessorKind, string>> = {
  request: 'request_processors',
  response: 'response_processors',
  phaseResults: 'phase_results_processors',
}

/**
 * Reads the definition of a pipeline.
 * @throws {EngineError} `parse_exception`, `illegal_argument_exception`, the error of a query or a script
 */
export function parseSearchPipeline(
  id: string,
  definition: ScriptMap,
  setup: ProcessorSetup,
): SearchPipeline {
  const config = new ProcessorConfig(null, definition)
  config.optionalText('description')
  config.int('version', null)
  const pipeline = {
    id,
    request: parseProcessors(config, 'request', REQUEST_PROCESSORS, setup),
    response: parseProcessors(config, 'response', RESPONSE_PROCESSORS, setup),
    phaseResults: parseProcessors(config, 'phaseResults', PHASE_PROCESSORS, setup),
  }
  config.refuseUnread(`pipeline [${id}]`)
  return pipeline
}

function parseProcessors<Step>(
  config: ProcessorConfig,
  kind: ProcessorKind,
  table: ProcessorTable<Step>,
  setup: ProcessorSetup,
): SearchProcessor<Step>[] {
  const key = LISTS[kind]
  const types = { table, names: setup.types[kind] }
  return (config.optionalList(key) ?? []).flatMap(item => {
    if (item instanceof Map)
      return Array.from(item, ([type, options]) =>
        parseProcessor(javaText(type), options, types, setup),
      )
    throw configError(NOBODY, key, `property isn't a map, but of type [${classOf(item)}]`)
  })
}

/** Types of the real server that ask models, or services of models. */
const OF_MODELS: ReadonlySet<string> = new Set([
  'agentic_context',
  'agentic_query_translator',
  'ml_inference',
  'neural_query_enricher',
  'neural_sparse_two_phase_processor',
  'personalized_search_ranking',
  'retrieval_augmented_generation',
])

function parseProcessor<Step>(
  type: string,
  options: ScriptValue,
  { table, names }: { readonly table: ProcessorTable<Step>; readonly names: readonly string[] },
  setup: ProcessorSetup,
): SearchProcessor<Step> {
  const found = names.includes(type) ? table.find(type) : null
  if (found === null && OF_MODELS.has(type)) throw notSupportedYet(`processor ${type}`)
  if (found === null) throw new IllegalArgumentError(`Invalid processor type ${type}`)
  if (!(options instanceof Map))
    throw configError(
      { type, tag: null },
      null,
      `property isn't a map, but of type [${classOf(options)}]`,
    )
  const config = new ProcessorConfig(type, options)
  config.tag = config.optionalText('tag')
  const { tag } = config
  const ignoresFailure = config.flag('ignore_failure', false)
  config.optionalText('description')
  const label = tag === null ? type : `${type}:${tag}`
  try {
    const step = found.parse(config, setup)
    config.refuseUnread(`processor [${label}]`)
    return { type, tag, label, ignoresFailure, step }
  } catch (error) {
    throw withProcessor(error, type, tag)
  }
}

/** Says which processor the error of a script belongs to. */
function withProcessor(error: unknown, type: string, tag: string | null): unknown {
  if (!(error instanceof EngineError) || error.record.type !== 'script_exception') return error
  const extra = {
    ...error.record.extra,
    processor_type: type,
    ...(tag === null ? {} : { processor_tag: tag }),
  }
  return new EngineError({ ...error.record, extra })
}

function classOf(value: ScriptValue): string {
  return value === null ? 'null' : classNameOf(value)
}
