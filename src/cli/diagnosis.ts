/** Obstacles of the policies of indices, found in what a server or a folder tells, and their remedies. */
import type { ServerCall } from './server-call.ts'

/** A finding with its cures, as requests or as advice. */
export interface Finding {
  /** Null: it concerns the whole node. */
  readonly index: string | null
  readonly text: string
  readonly remedies: readonly string[]
}

/** An index, as far as findings look at it. */
interface Patient {
  readonly index: string
  readonly policyId: string | null
  /** The alias that rollovers move on; null: the setting is missing. */
  readonly alias: string | null
}

/** A text of an explanation, with its cures; the first that matches counts. */
interface Symptom {
  readonly text: RegExp
  remedies(patient: Patient): readonly string[]
}

const PREFIX = 'index.plugins.index_state_management.'
const PAGE = 1000
/** Searches go no further. */
const MAX_INDICES = 10_000

const DATA_TOO_LARGE = /^Data too large and is over the allowed limit /
const MORE_HEAP = [
  'GET /_nodes/stats/jvm',
  'start the node with a larger heap: NODE_OPTIONS=--max-old-space-size=⟨megabytes⟩',
]

const SYMPTOMS: readonly Symptom[] = [
  {
    text: /^Not the write index when rollover /,
    remedies: ({ index, alias }) => [
      request('PUT', index, { aliases: { [alias ?? '⟨alias⟩']: { is_write_index: true } } }),
    ],
  },
  { text: /^Missing alias when rollover /, remedies: addAlias },
  {
    text: /^Missing rollover_alias index setting /,
    remedies: ({ index, policyId }) => [
      request('PUT', `_index_template/${policyId}-rollover`, {
        index_patterns: [index.replace(/\d+$/, '*')],
        template: { settings: { 'plugins.index_state_management.rollover_alias': '⟨alias⟩' } },
      }),
      request('PUT', `${index}/_settings`, {
        'index.plugins.index_state_management.rollover_alias': '⟨alias⟩',
      }),
    ],
  },
  { text: /^Skipped rollover action for /, remedies: ({ index }) => [noSkip(index)] },
  {
    text: /^This index has already been rolled over using this alias/,
    remedies: ({ index }) => [`POST /_plugins/_ism/remove/${index}`],
  },
  { text: DATA_TOO_LARGE, remedies: () => MORE_HEAP },
  {
    text: /^Maximum number of shards exceeded /,
    remedies: ({ index }) => [
      request('PUT', '_cluster/settings', {
        transient: { 'cluster.routing.allocation.total_shards_per_node': '⟨more⟩' },
      }),
      request('PUT', `${index}/_settings`, {
        'index.routing.allocation.total_shards_per_node': -1,
      }),
    ],
  },
  {
    text: /is the write index for data stream/,
    remedies: ({ index }) => [`POST /${index.replace(/^\.ds-(.+)-\d+$/, '$1')}/_rollover`],
  },
  { text: /^read_only_allow_delete block is not null /, remedies: ({ index }) => unblock(index) },
]

function addAlias({ index, alias }: Patient): readonly string[] {
  return [request('POST', '_aliases', { actions: [{ add: { index, alias: alias ?? '⟨alias⟩' } }] })]
}

function noSkip(index: string): string {
  return request('PUT', `${index}/_settings`, { 'index_state_management.rollover_skip': false })
}

function unblock(index: string): readonly string[] {
  return [
    request('PUT', `${index}/_settings`, { 'index.blocks.read_only_allow_delete': null }),
    request('PUT', '_cluster/settings', {
      transient: { 'cluster.routing.allocation.disk.watermark.low': '⟨size⟩' },
    }),
    request('PUT', '_cluster/settings', {
      transient: { 'cluster.routing.allocation.disk.threshold_enabled': false },
    }),
  ]
}

function request(method: string, path: string, body: object): string {
  return `${method} /${path} ${JSON.stringify(body)}`
}

/**
 * Looks for everything that the table knows.
 * @param call asks the server, or the folder
 * @throws {CliError} it does not answer
 */
export async function diagnose(call: ServerCall): Promise<readonly Finding[]> {
  const settings = await settingsByIndex(call)
  const findings = new Map<string, Finding>()
  const add = (finding: Finding): void => {
    const key = `${finding.index} ${finding.remedies[0]}`
    if (!findings.has(key)) findings.set(key, finding)
  }
  for (const [index, explained] of await explainedIndices(call)) {
    const patient = {
      index,
      policyId: explained.policy_id ?? null,
      alias: settings.get(index)?.[`${PREFIX}rollover_alias`] ?? null,
    }
    for (const text of textsOf(explained)) {
      const symptom = SYMPTOMS.find(each => each.text.test(text))
      if (symptom !== undefined) add({ index, text, remedies: symptom.remedies(patient) })
    }
  }
  for (const [index, own] of settings) findInSettings(index, own, add)
  for (const finding of await findInNode(call)) add(finding)
  return [...findings.values()]
}

interface ExplainedIndex {
  readonly policy_id?: string
  readonly info?: { readonly message?: string }
  readonly validate?: { readonly validation_message: string }
}

/**
 * The obstacles of the moment. The heap is that of the node that ran the job: of a folder only the last run
 * tells it.
 */
function textsOf({ info, validate }: ExplainedIndex): readonly string[] {
  const before = info?.message ?? ''
  const now = validate?.validation_message ?? ''
  return DATA_TOO_LARGE.test(before) ? [now, before] : [now]
}

async function explainedIndices(
  call: ServerCall,
): Promise<readonly (readonly [string, ExplainedIndex])[]> {
  const found: (readonly [string, ExplainedIndex])[] = []
  for (let from = 0; from < MAX_INDICES; from += PAGE) {
    const path = `/_plugins/_ism/explain?validate_action=true&size=${PAGE}&from=${from}`
    const { total_managed_indices: _, ...page } = (await call('GET', path)) as {
      readonly total_managed_indices: number
      readonly [index: string]: unknown
    }
    const entries = Object.entries(page) as (readonly [string, ExplainedIndex])[]
    found.push(...entries)
    if (entries.length < PAGE) break
  }
  return found
}

type FlatSettings = Readonly<Record<string, string>>

async function settingsByIndex(call: ServerCall): Promise<ReadonlyMap<string, FlatSettings>> {
  const path = '/_settings?flat_settings=true&expand_wildcards=all'
  const answer = (await call('GET', path)) as Readonly<
    Record<string, { readonly settings: FlatSettings }>
  >
  return new Map(Object.entries(answer).map(([index, { settings }]) => [index, settings]))
}

/** Findings that an index shows without a policy too. */
function findInSettings(
  index: string,
  settings: FlatSettings,
  add: (finding: Finding) => void,
): void {
  if (settings['index.blocks.read_only_allow_delete'] === 'true')
    add({
      index,
      text: `read_only_allow_delete block is not null for index [index=${index}]`,
      remedies: unblock(index),
    })
  if (settings[`${PREFIX}rollover_skip`] === 'true')
    add({
      index,
      text: `Skipped rollover action for [index=${index}]`,
      remedies: [noSkip(index)],
    })
}

interface NodeStats {
  readonly nodes: Readonly<
    Record<string, { readonly jvm?: { readonly mem?: { readonly heap_used_percent?: number } } }>
  >
}

/** The heap of the node, above the share at which actions wait. */
async function findInNode(call: ServerCall): Promise<readonly Finding[]> {
  const threshold = await heapThreshold(call)
  const { nodes } = (await call('GET', '/_nodes/stats/jvm')) as NodeStats
  return Object.values(nodes).flatMap(({ jvm }) => {
    const used = jvm?.mem?.heap_used_percent ?? 0
    if (used <= threshold) return []
    const text = `the heap is used to [${used}%], above [${threshold}%]: actions that need memory wait`
    return [{ index: null, text, remedies: MORE_HEAP }]
  })
}

async function heapThreshold(call: ServerCall): Promise<number> {
  const key = 'plugins.transform.circuit_breaker.jvm.threshold'
  const { defaults, persistent, transient } = (await call(
    'GET',
    '/_cluster/settings?include_defaults=true&flat_settings=true',
  )) as Readonly<Record<'defaults' | 'persistent' | 'transient', FlatSettings>>
  return Number(transient[key] ?? persistent[key] ?? defaults[key] ?? 85)
}
