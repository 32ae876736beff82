/** Answers to lookups in single documents, which a node has at hand: read without waiting, in nobody's name. */
import { filterSource } from '../../schema/source-filter.ts'
import { presentAt } from '../../schema/source-values.ts'
import { trusted } from '../../task/call-context.ts'
import { type JsonNode, parseJsonTree } from '../../util/json/json-tree.ts'
import { readTarget } from '../document/read-target.ts'
import { type Answers, type DocumentValues, type Lookup, NO_ANSWERS } from '../dsl/lookup.ts'
import type { Node } from '../node/node.ts'

/**
 * Reads when it is asked, the newest write of a document, refreshed or not.
 *
 * `of` throws {EngineError} for a lookup that needs more than one document, and where there is no such index.
 */
export function answersAtOnce(node: Node): Answers {
  return {
    of<T>(lookup: Lookup<T>): T {
      const { inDocument } = lookup
      return inDocument === null
        ? NO_ANSWERS.of(lookup)
        : inDocument.answerOf(valuesOf(node, inDocument.asked))
    },
  }
}

function valuesOf(node: Node, asked: DocumentValues): readonly JsonNode[] {
  const { index, shard } = readTarget(node, 'get', asked, trusted('indices:data/read/get'))
  const found = shard.get(asked.id, true)
  if (found === null) return []
  // The log has whole sources, whatever the mapping keeps of them.
  const { source: keeps } = index.metadata.mapping.options
  const source = keeps === null ? found.source : filterSource(found.source, keeps)
  return source === null || source.length === 0 ? [] : presentAt(parseJsonTree(source), asked.path)
}
