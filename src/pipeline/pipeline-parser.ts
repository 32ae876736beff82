/** Definitions of pipelines, read into pipelines that run. */

import { javaText } from '../script/value/java-text.ts'
import {
  classNameOf,
  type ScriptList,
  type ScriptMap,
  type ScriptValue,
} from '../script/value/script-value.ts'
import { EngineError } from '../util/errors.ts'
import type { Pipeline, Processor, ProcessorSetup } from './processor.ts'
import { configError, ProcessorConfig } from './processor-config.ts'
import { findProcessorType } from './processors.ts'
import type { ScriptCompiler } from './script-compiler.ts'

/** A property of no processor in particular. */
const NOBODY = { type: null, tag: null }

/**
 * Reads the definition of a pipeline.
 * @throws {EngineError} `parse_exception`, or the error of a script: nothing of it holds
 */
export function parsePipeline(
  id: string,
  definition: ScriptMap,
  scripts: ScriptCompiler,
): Pipeline {
  const config = new ProcessorConfig(null, definition)
  const setup: ProcessorSetup = {
    scripts,
    parse: (type, options) => parseProcessor(type, options, setup),
  }
  config.optionalText('description')
  config.int('version', null)
  config.optionalMap('_meta')
  const processors = parseProcessors(config.list('processors'), setup)
  const handlers = config.optionalList('on_failure')
  const onFailure = handlers === null ? [] : parseProcessors(handlers, setup)
  config.refuseUnread(`pipeline [${id}]`)
  if (handlers !== null && onFailure.length === 0)
    throw configError(
      NOBODY,
      null,
      `pipeline [${id}] cannot have an empty on_failure option defined`,
    )
  return { id, processors, onFailure }
}

/** The type and the name in statistics of each processor of a definition, which is not read any further. */
export function processorLabels(
  definition: ScriptMap,
): { readonly type: string; readonly label: string }[] {
  const processors = definition.get('processors')
  if (!Array.isArray(processors)) return []
  return processors.flatMap(item =>
    item instanceof Map
      ? Array.from(item, ([name, options]) => {
          const type = javaText(name)
          return { type, label: labelOf(type, options) }
        })
      : [],
  )
}

/** `⟨type⟩[:⟨pipeline⟩][:⟨tag⟩]`. */
function labelOf(type: string, options: ScriptValue): string {
  const option = (key: string): string => {
    const value = options instanceof Map ? options.get(key) : undefined
    return typeof value === 'string' ? `:${value}` : ''
  }
  return `${type}${type === 'pipeline' ? option('name') : ''}${option('tag')}`
}

/** Reads a list of processors; of several faults the first is told, the others beside it. */
function parseProcessors(list: ScriptList, setup: ProcessorSetup): Processor[] {
  const processors: Processor[] = []
  const faults: EngineError[] = []
  for (const item of list) {
    if (!(item instanceof Map))
      throw configError(
        NOBODY,
        'processors',
        `property isn't a map, but of type [${item === null ? 'null' : classNameOf(item)}]`,
      )
    for (const [type, options] of item)
      try {
        processors.push(parseProcessor(javaText(type), options, setup))
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        faults.push(error)
      }
  }
  const [first, ...others] = faults
  if (first === undefined) return processors
  if (others.length === 0) throw first
  const suppressed = others.map(({ record }) => ({
    type: record.type,
    reason: record.reason,
    ...record.extra,
  }))
  throw new EngineError({ ...first.record, extra: { ...first.record.extra, suppressed } })
}

function parseProcessor(type: string, options: ScriptValue, setup: ProcessorSetup): Processor {
  const config = new ProcessorConfig(type, mapOf(type, options))
  config.tag = config.optionalText('tag')
  const { tag } = config
  const description = config.optionalText('description')
  const ignoresFailure = config.flag('ignore_failure', false)
  const condition = config.value('if')
  const found = findProcessorType(type)
  if (found === null)
    throw configError({ type, tag }, null, `No processor type exists with name [${type}]`)
  const handlers = config.optionalList('on_failure')
  const onFailure = handlers === null ? [] : parseProcessors(handlers, setup)
  if (handlers !== null && onFailure.length === 0)
    throw config.fault('on_failure', 'processors list cannot be empty')
  try {
    const action = found.parse(config, setup)
    config.refuseUnread(`processor [${type}]`)
    return {
      type,
      tag,
      description,
      condition: condition === null ? null : setup.scripts.condition(condition),
      ignoresFailure,
      onFailure,
      action,
    }
  } catch (error) {
    throw withProcessor(error, type, tag)
  }
}

function mapOf(type: string, options: ScriptValue): ScriptMap {
  if (options instanceof Map) return options
  if (type === 'script' && typeof options === 'string') return new Map([['source', options]])
  throw configError(
    { type, tag: null },
    null,
    `property isn't a map, but of type [${options === null ? 'null' : classNameOf(options)}]`,
  )
}

/** Says which processor an error of another kind belongs to. */
function withProcessor(error: unknown, type: string, tag: string | null): unknown {
  if (!(error instanceof EngineError) || error.record.extra?.['processor_type'] !== undefined)
    return error
  const extra = {
    ...error.record.extra,
    processor_type: type,
    ...(tag === null ? {} : { processor_tag: tag }),
  }
  return new EngineError({ ...error.record, extra })
}
