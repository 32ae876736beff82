import { indexSettings } from '../../../schema/setting-registry.ts'
import { MAX_CALLING_THREAD_MILLIS, newScriptRun } from '../../../script/script-run.ts'
import { readValue, valueOfNode } from '../../../script/value/read-value.ts'
import type { ScriptMap, ScriptValue } from '../../../script/value/script-value.ts'
import { UnmodifiableMap } from '../../../script/value/unmodifiable.ts'
import { jsonOfValue } from '../../../script/value/write-value.ts'
import { LeafDoc } from '../../../search/script/leaf-doc.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import type { ScriptRequest } from '../../api/scripts.ts'
import { readBoolean } from '../../dsl/json-scalars.ts'
import { notSupportedYet, parsingError, tokenName } from '../../dsl/parse-error.ts'
import { parseScript } from '../../dsl/parse-script.ts'
import { scriptFieldOf } from '../../dsl/script-field.ts'
import type {
  FetchedDocument,
  FetchPart,
  FetchSubject,
  HitReader,
  ParsedScriptField,
} from '../fetch-part.ts'
import { setValues } from '../hit-fields.ts'

/** `script_fields`: fields that scripts make of a hit's doc values and source. */
export const scriptFieldsPart: FetchPart<readonly ParsedScriptField[]> = {
  unasked: [],
  keys: { script_fields: readScriptFields },
  subPhase: 'ScriptFieldsPhase',
  ofOptions: () => undefined,
  make(asked, subject) {
    if (asked.length === 0) return null
    const most = indexSettings.number(subject.settings, 'index.max_script_fields') ?? 32
    if (asked.length > most)
      throw new IllegalArgumentError(
        `Trying to retrieve too many script_fields. Must be less than or equal to: [${most}] but was ` +
          `[${asked.length}]. This limit can be set by changing the [index.max_script_fields] index ` +
          'level setting.',
      )
    const fields = asked.map(field => openField(field, subject))
    return () => new FieldReader(fields, subject)
  },
}

function readScriptFields(node: JsonNode): readonly ParsedScriptField[] {
  if (node.kind !== 'object')
    throw parsingError(
      node,
      `Expected [START_OBJECT] in [script_fields] but found [${tokenName(node.kind)}]`,
    )
  return node.entries.map(({ key: name, value }) => {
    if (value.kind !== 'object')
      throw parsingError(
        value,
        `Expected [START_OBJECT] in [script_fields] but found [${tokenName(value.kind)}]`,
      )
    let script: ScriptRequest | null = null
    let ignoresFailure = false
    for (const entry of value.entries)
      if (entry.key === 'script') script = parseScript(entry.value)
      else if (entry.key === 'ignore_failure') ignoresFailure = readBoolean(entry.value)
      else throw parsingError(entry, `Unknown key for a [script_fields] in [${entry.key}].`)
    if (script === null)
      throw parsingError(value, `[script] is missing in the script field [${name}]`)
    return { name, script, ignoresFailure }
  })
}

interface OpenField extends Pick<ParsedScriptField, 'name' | 'ignoresFailure'> {
  readonly script: ReturnType<FetchSubject['scripts']['compile']>['script']
  readonly params: ScriptMap
  /** Whether it reads `params._source`. */
  readonly readsSource: boolean
}

function openField(
  { name, script, ignoresFailure }: ParsedScriptField,
  subject: FetchSubject,
): OpenField {
  const compiled = subject.scripts.compile(script)
  const { uses } = compiled.script
  const params = (compiled.params === null ? new Map() : valueOfNode(compiled.params)) as ScriptMap
  const text = script.source ?? ''
  if (uses.has('params') && text.includes('_fields')) throw notSupportedYet('params._fields')
  // A stored script may name it in any way.
  const readsSource = uses.has('params') && (script.source === null || text.includes('_source'))
  return { name, ignoresFailure, script: compiled.script, params, readsSource }
}

/** Runs the scripts over the hits of one shard. */
class FieldReader implements HitReader {
  readonly readsSource: boolean
  readonly extraUnits: number
  readonly #fields: readonly OpenField[]
  readonly #subject: FetchSubject
  #leaf: Leaf | null = null
  #doc: LeafDoc | null = null

  constructor(fields: readonly OpenField[], subject: FetchSubject) {
    this.#fields = fields
    this.#subject = subject
    this.readsSource = fields.some(({ readsSource }) => readsSource)
    this.extraUnits = 2 * fields.length
  }

  read(document: FetchedDocument, to: Parameters<HitReader['read']>[1]): void {
    const { leaf, docId } = document
    if (this.#doc === null || this.#leaf !== leaf) {
      this.#leaf = leaf
      this.#doc = new LeafDoc(leaf, name => scriptFieldOf(name, this.#subject.context))
    }
    this.#doc.moveTo(docId)
    for (const field of this.#fields) {
      try {
        setValues(to, field.name, this.#valuesOf(field, this.#doc, document))
      } catch (error) {
        if (!field.ignoresFailure || !(error instanceof EngineError)) throw error
      }
    }
  }

  #valuesOf(
    { script, params, readsSource }: OpenField,
    doc: LeafDoc,
    { source, nested }: FetchedDocument,
  ): readonly JsonValue[] {
    if (readsSource && nested !== null) throw notSupportedYet('params._source of nested documents')
    const given = readsSource
      ? new Map(params).set('_source', source === null ? null : readValue(source))
      : params
    const value = script.execute(
      [new UnmodifiableMap(given), doc],
      newScriptRun(MAX_CALLING_THREAD_MILLIS),
    ) as ScriptValue
    const printed = jsonOfValue(value)
    return Array.isArray(printed) ? printed : [printed]
  }
}
