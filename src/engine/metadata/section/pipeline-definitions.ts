import { CorruptSegmentError } from '../../../util/errors.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import { jsonValueOf } from '../../../util/json/json-writer.ts'
import type { MetadataSection } from './metadata-section.ts'

/** Definitions of pipelines by id, as they were given. */
export type PipelineDefinitions = ReadonlyMap<string, JsonObjectNode>

/** A section of pipelines: `{"⟨id⟩": {⟨definition⟩}, …}`. */
export function pipelineDefinitions(name: string): MetadataSection<PipelineDefinitions> {
  return {
    name,
    version: 1,
    isRequired: true,
    empty: () => new Map(),
    upgrade: content => content,
    parse(content) {
      if (content.kind !== 'object')
        throw new CorruptSegmentError('state', 32, 'pipelines by id', content.kind)
      return new Map(
        content.entries.map(({ key, value }) => {
          if (value.kind === 'object') return [key, value]
          throw new CorruptSegmentError('state', 32, `an object as [${key}]`, value.kind)
        }),
      )
    },
    print: pipelines => new Map([...pipelines].map(([id, node]) => [id, jsonValueOf(node)])),
  }
}
