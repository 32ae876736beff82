/** Types of processors that the settings of a node leave to its search pipelines. */
import { nodeSettings } from '../../../schema/setting-registry.ts'
import type { Settings } from '../../../schema/settings.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { SearchProcessorTypes } from '../../api/search-pipelines.ts'
import { PHASE_PROCESSORS } from './phase-processors.ts'
import { REQUEST_PROCESSORS } from './request-processors.ts'
import { RESPONSE_PROCESSORS } from './response-processors.ts'

/** The names of all types of a kind, and the setting that narrows them. */
const KINDS = {
  request: {
    names: REQUEST_PROCESSORS.names,
    setting: 'search.pipeline.common.request.processors.allowed',
  },
  response: {
    names: RESPONSE_PROCESSORS.names,
    setting: 'search.pipeline.common.response.processors.allowed',
  },
  phaseResults: {
    names: PHASE_PROCESSORS.names,
    setting: 'search.pipeline.common.search.phase.results.processors.allowed',
  },
} as const satisfies { readonly [K in keyof SearchProcessorTypes]: object }

/** The kinds of processors. */
export type ProcessorKind = keyof SearchProcessorTypes

/**
 * The types that pipelines may have: all where the setting is not given.
 * @param settings of the node
 */
export function allowedTypes(settings: Settings): SearchProcessorTypes {
  const of = (kind: ProcessorKind): readonly string[] => {
    const { names, setting } = KINDS[kind]
    if (!settings.has(setting)) return names
    const allowed = nodeSettings.list(settings, setting)
    return names.filter(name => allowed.includes(name))
  }
  return { request: of('request'), response: of('response'), phaseResults: of('phaseResults') }
}

/**
 * Refuses settings that name types which are not there.
 * @throws {IllegalArgumentError}
 */
export function checkAllowedTypes(settings: Settings): void {
  for (const { names, setting } of Object.values(KINDS)) {
    const known: readonly string[] = names
    const unknown = nodeSettings.list(settings, setting).filter(name => !known.includes(name))
    if (unknown.length > 0)
      throw new IllegalArgumentError(
        `Processor(s) [${unknown.join(', ')}] were defined in [${setting}] but do not exist`,
      )
  }
}
