/** Compiles painless for a context with its functions and classes. */
import { EMITTED_VALUES } from '../context/emitted-values.ts'
import { SCORED_DOCUMENT } from '../context/scored-document.ts'
import type { ContextVariable, ScriptContext } from '../context/script-context.ts'
import { compilePainless, type PainlessScript } from './compile-painless.ts'
import type { ClassType, Member } from './library/class-type.ts'
import { EMIT_FUNCTIONS } from './library/emit-functions.ts'
import { EXPLANATION_CLASSES } from './library/explanation-class.ts'
import { INTERVAL_CLASSES } from './library/interval-class.ts'
import { MOVING_FUNCTION_CLASSES } from './library/moving-functions-class.ts'
import { PROCESSOR_CLASSES } from './library/processors-class.ts'
import { SCORE_FUNCTIONS } from './library/score-functions.ts'
import { SIMILARITY_CLASSES } from './library/similarity-classes.ts'
import { TOKEN_CLASSES } from './library/token-class.ts'
import { VECTOR_FUNCTIONS } from './library/vector-functions.ts'
import type { ContextFunction, PainlessSettings } from './painless-settings.ts'

/** Variables, functions and classes that a context offers beside those of all. */
interface ContextLibrary {
  /** Behind those of the context; a name that no source can spell is a receiver of functions. */
  readonly variables: readonly ContextVariable[]
  readonly functions: ReadonlyMap<string, ContextFunction>
  readonly classes: readonly ClassType[]
}

const NOTHING: ContextLibrary = { variables: [], functions: new Map(), classes: [] }

const OF_VECTORS = functionsOn(null, VECTOR_FUNCTIONS)

const LIBRARIES: ReadonlyMap<string, ContextLibrary> = new Map<string, ContextLibrary>([
  ['analysis', { ...NOTHING, classes: TOKEN_CLASSES }],
  ['ingest', { ...NOTHING, classes: PROCESSOR_CLASSES }],
  ['moving-function', { ...NOTHING, classes: MOVING_FUNCTION_CLASSES }],
  ['interval', { ...NOTHING, classes: INTERVAL_CLASSES }],
  ['similarity', { ...NOTHING, classes: SIMILARITY_CLASSES }],
  ['similarity_weight', { ...NOTHING, classes: SIMILARITY_CLASSES }],
  [
    'derived_field',
    {
      ...NOTHING,
      variables: [{ name: EMITTED_VALUES, type: 'def' }],
      functions: functionsOn(EMITTED_VALUES, EMIT_FUNCTIONS),
    },
  ],
  [
    'score',
    {
      variables: [{ name: SCORED_DOCUMENT, type: 'def' }],
      functions: new Map([...functionsOn(SCORED_DOCUMENT, SCORE_FUNCTIONS), ...OF_VECTORS]),
      classes: EXPLANATION_CLASSES,
    },
  ],
  ...['aggs_combine', 'aggs_init', 'aggs_map', 'aggs_reduce', 'field'].map(
    name => [name, { ...NOTHING, functions: OF_VECTORS }] as const,
  ),
])

function functionsOn(
  receiver: string | null,
  table: Readonly<Record<string, Member>>,
): ReadonlyMap<string, ContextFunction> {
  return new Map(Object.entries(table).map(([key, member]) => [key, { member, receiver }]))
}

/** Variables of a context in the order in which an execution passes them. */
export function variablesOf(context: ScriptContext): readonly ContextVariable[] {
  return [...context.variables, ...(LIBRARIES.get(context.name) ?? NOTHING).variables]
}

/**
 * Compiles a source.
 * @param name the id of a stored script, by which errors name it in place of its source
 * @throws {EngineError} `script_exception`
 */
export function compileInContext(
  source: string,
  context: ScriptContext,
  regex: Pick<PainlessSettings, 'regex' | 'regexLimitFactor'>,
  name: string | null = null,
): PainlessScript {
  const { functions, classes } = LIBRARIES.get(context.name) ?? NOTHING
  const { returns } = context
  const variables = variablesOf(context)
  return compilePainless(source, { variables, returns }, { ...regex, functions, classes }, name)
}
