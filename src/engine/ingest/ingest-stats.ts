import { processorLabels } from '../../pipeline/pipeline-parser.ts'
import type { RunCount } from '../../pipeline/run-counts.ts'
import { valueOfNode } from '../../script/value/read-value.ts'
import type { ScriptMap } from '../../script/value/script-value.ts'
import type { OperationCount } from '../api/operation-count.ts'
import type { IngestStats } from '../api/pipelines.ts'
import type { Node } from '../node/node.ts'

/** Counts of ingest since the start; a pipeline that has not run yet has zeros. */
export function ingestStats(node: Node): IngestStats {
  const { total, current, pipelines } = node.ingest.counts()
  return {
    total: { ...printed(total), current },
    pipelines: [...node.metadata.node.pipelines]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, definition]) => {
        const counts = pipelines.get(id)
        const processors = processorLabels(valueOfNode(definition) as ScriptMap)
        return {
          id,
          ...printed(counts),
          processors: processors.map(({ type, label }, i) => ({
            type,
            label,
            ...printed(counts?.processors[i]),
          })),
        }
      }),
  }
}

function printed(counts: Readonly<RunCount> | undefined): OperationCount {
  const { count = 0, millis = 0, failed = 0 } = counts ?? {}
  return { count, timeInMillis: Math.floor(millis), current: 0, failed }
}
