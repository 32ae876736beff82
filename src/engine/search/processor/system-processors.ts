/** The processors of one search that the node makes by itself. */
import { clusterSettings } from '../../../schema/setting-registry.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { Node } from '../../node/node.ts'
import type { CountedHalf } from '../../node/search-pipeline-counts.ts'
import type { SearchRequest } from '../search-request.ts'
import { type HalfRun, runProcessors } from './run-processors.ts'
import { MMR_OVER_SAMPLE } from './system/mmr-over-sample.ts'
import { MMR_RERANK } from './system/mmr-rerank.ts'
import type {
  SystemFactory,
  SystemRequestFactory,
  SystemResponseFactory,
  SystemRun,
} from './system-processor.ts'

/** The setting that enables factories, by name or all by `*`. */
const SETTING = 'cluster.search.enabled_system_generated_factories'

const REQUEST: readonly SystemRequestFactory[] = [MMR_OVER_SAMPLE]
const RESPONSE: readonly SystemResponseFactory[] = [MMR_RERANK]

/** The factories whose processors a search gets. */
export interface SystemProcessors {
  readonly request: readonly SystemRequestFactory[]
  readonly response: readonly SystemResponseFactory[]
}

/** Whether any factory is enabled, or a search asks for one. */
export function mayHaveSystemProcessors(node: Node, { parts: { ext } }: SearchRequest): boolean {
  return ext.mmr !== null || enabledNames(node).length > 0
}

/**
 * The factories whose processors a search gets; counts how often each enabled one was asked.
 * @throws {IllegalArgumentError} a search asks for what is not enabled
 */
export function systemProcessors(node: Node, request: SearchRequest): SystemProcessors {
  const names = enabledNames(node)
  const isEnabled = ({ name }: { readonly name: string }): boolean =>
    names.includes('*') || names.includes(name)
  if (request.parts.ext.mmr !== null && ![MMR_OVER_SAMPLE, MMR_RERANK].every(isEnabled))
    throw new IllegalArgumentError(
      `We need to enable [${MMR_OVER_SAMPLE.name}, ${MMR_RERANK.name}] in the cluster setting ` +
        `[${SETTING}] to support the mmr search extension.`,
    )
  return {
    request: generated(node, request, 'request', REQUEST.filter(isEnabled)),
    response: generated(node, request, 'response', RESPONSE.filter(isEnabled)),
  }
}

function enabledNames({ effectiveSettings }: Node): readonly string[] {
  return clusterSettings.list(effectiveSettings, SETTING)
}

function generated<F extends Pick<SystemFactory<unknown>, 'name' | 'isFor'>>(
  { searchPipelines: { system } }: Node,
  request: SearchRequest,
  half: CountedHalf,
  factories: readonly F[],
): readonly F[] {
  return factories.filter(factory => {
    const { evaluations, generations } = system.factory(half, factory.name)
    const end = evaluations.begin()
    const isFor = factory.isFor(request)
    end(false)
    if (isFor) generations.begin()(false)
    return isFor
  })
}

/** Runs processors of one half in turn. @throws {EngineError} what one fails with */
export function runSystemProcessors<Value>(
  half: CountedHalf,
  factories: readonly SystemFactory<Value>[],
  value: Value,
  run: SystemRun,
  noting: Pick<HalfRun<Value>, 'notes' | 'show'>,
): Promise<Value> {
  const { system } = run.node.searchPipelines
  const processors = factories.map(factory => ({
    type: factory.type,
    tag: null,
    label: factory.type,
    ignoresFailure: false,
    step: factory,
  }))
  const counts = { runs: null, processor: (type: string) => system.processor(half, type) }
  return runProcessors(processors, value, (factory, each) => factory.run(each, run), {
    ...noting,
    total: null,
    counts,
    onIgnored: null,
  })
}
