/** Which pipelines a document passes: that of its request or else its index's, then its index's final one. */

import type { PipelineChain } from '../../pipeline/pipeline-messages.ts'
import type { SettingValue } from '../../schema/settings.ts'
import { EngineError } from '../../util/errors.ts'
import { findWriteIndex } from '../index/write-target.ts'
import { writeIndexOfStream } from '../metadata/data-stream.ts'
import { resolveDateMath } from '../metadata/date-math-name.ts'
import type { Node } from '../node/node.ts'
import { layersFor } from '../template/compose.ts'

/** Pipelines that an index asks for; null: none. */
interface IndexPipelines {
  readonly byDefault: string | null
  readonly final: string | null
}

const DEFAULT = 'index.default_pipeline'
const FINAL = 'index.final_pipeline'
/** The name of no pipeline. */
const NONE = '_none'
const NO_PIPELINES: IndexPipelines = { byDefault: null, final: null }

/** Chooses the pipelines of the documents of one call; each name of an index is looked up once. */
export class PipelineChooser {
  readonly #node: Node
  readonly #known = new Map<string, IndexPipelines>()
  #lastIndex: string | null = null
  #last: IndexPipelines = NO_PIPELINES

  constructor(node: Node) {
    this.#node = node
  }

  /**
   * Whether any pipeline is meant for a document.
   * @param pipeline of its request; null: its index's default one
   */
  areMeant(index: string, pipeline: string | null): boolean {
    const { byDefault, final } = this.#of(index)
    return final !== null || (pipeline === null ? byDefault : pipelineOf(pipeline)) !== null
  }

  /** The pipelines of a document, in their order. */
  chain(index: string, pipeline: string | null): PipelineChain {
    const { byDefault, final } = this.#of(index)
    const first = pipeline === null ? byDefault : pipelineOf(pipeline)
    return { ids: [first, final].filter(id => id !== null), endsFinal: final !== null }
  }

  /** The pipelines of a document that another one has sent to an index. */
  chainOfMoved(index: string): PipelineChain {
    return this.chain(index, NONE)
  }

  #of(index: string): IndexPipelines {
    if (index === this.#lastIndex) return this.#last
    let found = this.#known.get(index)
    if (found === undefined) {
      found = indexPipelines(this.#node, index)
      this.#known.set(index, found)
    }
    this.#lastIndex = index
    this.#last = found
    return found
  }
}

/**
 * The pipelines of the index that writes to a name go to, which its templates give where it is missing. A
 * name that cannot be has none: it is refused where it is resolved.
 */
function indexPipelines(node: Node, given: string): IndexPipelines {
  const name = resolved(given)
  if (name === null) return NO_PIPELINES
  const { metadata } = node
  const stream = metadata.dataStream(name)
  const index =
    metadata.index(stream === null ? name : writeIndexOfStream(stream).name) ??
    findWriteIndex(name, metadata.indicesOfAlias(name))
  const setting = (key: string): SettingValue | null | undefined => {
    if (index !== null) return index.settings.get(key)
    const layers = layersFor(metadata.node, name)
    // The layer that wins stands last.
    return layers.map(({ settings }) => settings?.get(key) ?? undefined).findLast(Boolean)
  }
  return { byDefault: pipelineOf(setting(DEFAULT)), final: pipelineOf(setting(FINAL)) }
}

function resolved(name: string): string | null {
  try {
    return resolveDateMath(name)
  } catch (error) {
    if (error instanceof EngineError) return null
    throw error
  }
}

/** A pipeline by the id of a request or a setting; null: none is meant. */
function pipelineOf(id: SettingValue | null | undefined): string | null {
  return typeof id !== 'string' || id === NONE || id === '' ? null : id
}
