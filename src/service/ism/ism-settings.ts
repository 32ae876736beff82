/** The settings of index-state management as they hold now. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { clusterSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { settingList } from '../setting-list.ts'

const PREFIX = 'plugins.index_state_management.'

/** The cluster settings that hold: transient ones win over persistent ones, these over the node's own. */
export function effectiveSettings({ cluster }: EngineApi): Settings {
  const { persistent, transient } = cluster.settings()
  return cluster.nodeInfo().settings.with(persistent.toMap()).with(transient.toMap())
}

/** Settings of the history. */
export interface HistorySettings {
  readonly isEnabled: boolean
  /** Documents and age of an index from which on another one follows. */
  readonly maxDocs: number
  readonly maxAgeInMillis: number
  readonly checkPeriodInMillis: number
  /** Age above which an index is deleted. */
  readonly retentionInMillis: number
  readonly shards: number
  readonly replicas: number
}

/** Settings of jobs. */
export interface IsmSettings {
  readonly isEnabled: boolean
  readonly jobIntervalInMillis: number
  /** Share of the interval that runs are spread over, 0–1. */
  readonly jitter: number
  readonly sweepPeriodInMillis: number
  readonly allowList: readonly string[]
  /** Indices of these names are never managed; matches whole names. */
  readonly restrictedPattern: string
  readonly validatesActions: boolean
  /** Share of the heap above which actions that need memory wait, 0–100; null: they never do. */
  readonly heapThreshold: number | null
  readonly history: HistorySettings
}

/** Reads them. */
export function ismSettings(engine: EngineApi): IsmSettings {
  const settings = effectiveSettings(engine)
  const number = (key: string): number => clusterSettings.number(settings, PREFIX + key) ?? 0
  const millis = (key: string): number => (clusterSettings.nanos(settings, PREFIX + key) ?? 0) / 1e6
  const hasBreaker = clusterSettings.boolean(settings, 'plugins.transform.circuit_breaker.enabled')
  return {
    isEnabled: clusterSettings.boolean(settings, `${PREFIX}enabled`),
    jobIntervalInMillis: number('job_interval') * 60_000,
    jitter: number('jitter'),
    sweepPeriodInMillis: millis('coordinator.sweep_period'),
    allowList: settingList(clusterSettings.value(settings, `${PREFIX}allow_list`)),
    restrictedPattern: clusterSettings.text(settings, `${PREFIX}restricted_index_pattern`),
    validatesActions: clusterSettings.boolean(settings, `${PREFIX}action_validation.enabled`),
    heapThreshold: hasBreaker
      ? clusterSettings.number(settings, 'plugins.transform.circuit_breaker.jvm.threshold')
      : null,
    history: {
      isEnabled: clusterSettings.boolean(settings, `${PREFIX}history.enabled`),
      maxDocs: number('history.max_docs'),
      maxAgeInMillis: millis('history.max_age'),
      checkPeriodInMillis: millis('history.rollover_check_period'),
      retentionInMillis: millis('history.rollover_retention_period'),
      shards: number('history.number_of_shards'),
      replicas: number('history.number_of_replicas'),
    },
  }
}
