/** Where pipelines have their scripts compiled: `if` conditions and the `script` processor. */

import type { ScriptValue } from '../script/value/script-value.ts'
import type { IngestDocument } from './ingest-document.ts'

/** Compiles scripts of processors; each method throws an `EngineError` for one that cannot be. */
export interface ScriptCompiler {
  /**
   * The condition of a processor.
   * @param script a source, or a script object
   * @returns its test of a document, and its source as simulations show it
   */
  condition(script: ScriptValue): {
    readonly source: string
    readonly test: (document: IngestDocument) => boolean
  }
  /** The `script` processor's own; it changes the document. */
  script(script: ScriptValue): (document: IngestDocument) => void
}
