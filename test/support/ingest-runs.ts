import { IngestDocument } from '../../src/pipeline/ingest-document.ts'
import { painlessScripts } from '../../src/pipeline/painless-scripts.ts'
import type { PipelineScripts } from '../../src/pipeline/pipeline-messages.ts'
import { parsePipeline } from '../../src/pipeline/pipeline-parser.ts'
import type { Pipeline } from '../../src/pipeline/processor.ts'
import { readSource } from '../../src/pipeline/read-source.ts'
import { Runner, type RunWatch } from '../../src/pipeline/runner.ts'
import type { ScriptCompiler } from '../../src/pipeline/script-compiler.ts'
import { sourceText } from '../../src/pipeline/write-source.ts'
import { readValue } from '../../src/script/value/read-value.ts'
import type { ScriptMap } from '../../src/script/value/script-value.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'

/** Watches nothing. */
export const UNWATCHED: RunWatch = { tick: () => {}, matches: { begin: () => {}, end: () => {} } }

/** No stored scripts. */
export const INLINE_SCRIPTS: PipelineScripts = {
  stored: new Map(),
  regex: { regex: 'limited', regexLimitFactor: 6 },
}

/** A pipeline of a definition. */
export function pipelineOf(
  definition: object,
  id = 'p',
  scripts: ScriptCompiler = painlessScripts(INLINE_SCRIPTS),
): Pipeline {
  return parsePipeline(id, readValue(encodeUtf8(JSON.stringify(definition))) as ScriptMap, scripts)
}

/** A document with a source, as text of JSON or as an object. */
export function documentOf(source: object | string): IngestDocument {
  const bytes = encodeUtf8(typeof source === 'string' ? source : JSON.stringify(source))
  return new IngestDocument(readSource(bytes), '2020-01-02T03:04:05.678Z')
}

/** The JSON of a source that processors were run on; `dropped` where one dropped it. */
export function processed(
  processors: readonly object[],
  source: object | string,
  others: Readonly<Record<string, object>> = {},
): string {
  const document = documentOf(source)
  const known = new Map(
    Object.entries(others).map(([id, definition]) => [id, pipelineOf(definition, id)]),
  )
  const runner = new Runner(id => known.get(id) ?? null, UNWATCHED)
  const outcome = runner.run(pipelineOf({ processors }), document)
  return outcome ?? sourceText(document.fields)
}

/** The error that a call throws, as a record. */
export function thrown(call: () => unknown): { type: string; reason: string; extra?: object } {
  try {
    call()
  } catch (error) {
    return (error as { record: { type: string; reason: string } }).record
  }
  throw new Error('nothing was thrown')
}
