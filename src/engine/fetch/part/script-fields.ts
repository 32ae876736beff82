import { indexSettings } from '../../../schema/setting-registry.ts'
import { FieldsLookup } from '../../../script/doc/field-lookup.ts'
import type { ScriptRequest } from '../../../script/script-request.ts'
import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../../script/script-run.ts'
import { readValue } from '../../../script/value/read-value.ts'
import type { ScriptValue } from '../../../script/value/script-value.ts'
import { jsonOfValue } from '../../../script/value/write-value.ts'
import { inputsOf, type LeafScript } from '../../../search/script/leaf-script.ts'
import { scriptEngine } from '../../../search/script/script-engine.ts'
import type { ScriptPlan } from '../../../search/script/script-plan.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import { writeJson } from '../../../util/json/json-writer.ts'
import { readBoolean } from '../../dsl/json-scalars.ts'
import { parsingError, tokenName } from '../../dsl/parse-error.ts'
import { parseScript } from '../../dsl/parse-script.ts'
import { scriptPlan } from '../../dsl/script-plan.ts'
import type {
  FetchedDocument,
  FetchPart,
  FetchSubject,
  HitReader,
  ParsedScriptField,
} from '../fetch-part.ts'
import { setValues } from '../hit-fields.ts'
import { sourceValues, storedFieldsOf } from '../stored-values.ts'

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
    return () => new FieldReader(fields)
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
  readonly plan: ScriptPlan
  /** Whether it reads `params._source`. */
  readonly readsSource: boolean
  /** Reads `params._fields`; null: it does not. */
  readonly storedOf: ((document: FetchedDocument) => FieldsLookup) | null
}

function openField(
  { name, script, ignoresFailure }: ParsedScriptField,
  { context }: FetchSubject,
): OpenField {
  const plan = scriptPlan(script, 'field', context)
  const { lang, source } = plan
  const readsParams = lang === 'painless' && source.includes('params')
  return {
    name,
    ignoresFailure,
    plan,
    readsSource: readsParams && source.includes('_source'),
    storedOf: readsParams && source.includes('_fields') ? storedReader(context) : null,
  }
}

/** Reads the stored fields of a document as a script sees them. */
function storedReader(
  context: FetchSubject['context'],
): (document: FetchedDocument) => FieldsLookup {
  const { mapping } = context
  const fields = storedFieldsOf(['*'], mapping, context)
  const isMapped = (name: string): boolean => mapping.field(name) !== null
  return document => {
    const tree = document.tree()
    const found = Array.from(
      tree === null ? [] : sourceValues(fields, tree, document.ignored),
      ([name, printed]) => [name, printed.map(each => readValue(writeJson(each)))] as const,
    )
    return new FieldsLookup(new Map(found), isMapped)
  }
}

/** Runs the scripts over the hits of one shard. */
class FieldReader implements HitReader {
  readonly readsSource: boolean
  readonly extraUnits: number
  readonly #fields: readonly OpenField[]
  readonly #run = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
  #leaf: Leaf | null = null
  /** By field, on the leaf at hand; null: opened for each document. */
  #scripts: readonly (LeafScript | null)[] = []

  constructor(fields: readonly OpenField[]) {
    this.#fields = fields
    this.readsSource = fields.some(field => field.readsSource || field.storedOf !== null)
    this.extraUnits = 2 * fields.length
  }

  read(document: FetchedDocument, to: Parameters<HitReader['read']>[1]): void {
    const { leaf } = document
    if (this.#leaf !== leaf) {
      this.#scripts = this.#fields.map(({ plan, readsSource, storedOf }) =>
        readsSource || storedOf !== null
          ? null
          : scriptEngine().open(plan, leaf, inputsOf(this.#run)),
      )
      this.#leaf = leaf
    }
    for (const [i, field] of this.#fields.entries()) {
      try {
        setValues(to, field.name, this.#valuesOf(i, document))
      } catch (error) {
        if (!field.ignoresFailure || !(error instanceof EngineError)) throw error
      }
    }
  }

  #valuesOf(index: number, document: FetchedDocument): readonly JsonValue[] {
    const script = this.#scripts[index] ?? this.#withDocument(this.#fields[index]!, document)
    const printed = jsonOfValue(script.value(document.docId))
    return Array.isArray(printed) ? printed : [printed]
  }

  /** A script that reads more of a document than its columns. */
  #withDocument({ plan, readsSource, storedOf }: OpenField, document: FetchedDocument): LeafScript {
    const params = new Map<string, ScriptValue>()
    if (readsSource) params.set('_source', sourceOf(document))
    if (storedOf !== null) params.set('_fields', storedOf(document))
    return scriptEngine().open(plan, document.leaf, { ...inputsOf(this.#run), params })
  }
}

/** The source of a document, of a nested one its own object. */
function sourceOf({ source, nested }: FetchedDocument): ScriptValue {
  let value: ScriptValue = source === null ? null : readValue(source)
  for (const { field } of nested?.steps ?? [])
    for (const name of field.split('.')) {
      const within = value instanceof Map ? (value.get(name) ?? null) : null
      // The source of a nested document holds one object at each step.
      value = Array.isArray(within) ? (within[0] ?? null) : within
    }
  return value
}
