import type { ValueModifier } from '../../../search/weight/function/score-function.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { plainField } from '../derived/derived-field.ts'
import { readNumber, readText } from '../json-scalars.ts'
import { numberColumn } from '../number-column.ts'
import { parsingError } from '../parse-error.ts'
import type { ParsedFunction } from './score-function-parser.ts'

const NAME = 'field_value_factor'
const MODIFIERS: readonly ValueModifier[] = [
  'none',
  'log',
  'log1p',
  'log2p',
  'ln',
  'ln1p',
  'ln2p',
  'square',
  'sqrt',
  'reciprocal',
]

/** `field_value_factor`: a number of the document as its score. */
export function fieldValueFactorParser(node: JsonObjectNode): ParsedFunction {
  let field: string | null = null
  let factor = 1
  let modifier: ValueModifier = 'none'
  let missing: number | null = null
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key === 'factor') factor = Math.fround(readNumber(scalar(entry)))
    else if (key === 'field') field = readText(scalar(entry))
    else if (key === 'modifier') modifier = readModifier(readText(scalar(entry)))
    else if (key === 'missing') missing = readNumber(scalar(entry))
    else if (value.kind === 'array' || value.kind === 'object') scalar(entry)
    else throw parsingError(entry, `${NAME} query does not support [${key}]`)
  }
  if (field === null) throw parsingError(node, `[${NAME}] required field 'field' missing`)
  const name = field
  return context => {
    const mapped = plainField(name, NAME, context)
    if (mapped === null && missing === null)
      throw new EngineError({
        type: 'exception',
        reason: `Unable to find a field mapper for field [${name}]. No 'missing' value defined.`,
      })
    const column = mapped === null ? null : numberColumn(mapped)
    const asked = { field: column?.field ?? context.absentName(name), factor, modifier, missing }
    return { kind: 'fieldValue', ...asked, column }
  }
}

function scalar({ key, value }: JsonEntry): JsonEntry['value'] {
  if (value.kind === 'array' || value.kind === 'object')
    throw parsingError(value, `[${NAME}] field '${key}' does not support lists or objects`)
  return value
}

function readModifier(text: string): ValueModifier {
  const modifier = MODIFIERS.find(each => each === text.toLowerCase())
  if (modifier !== undefined) return modifier
  throw new IllegalArgumentError(
    `No enum constant org.opensearch.common.lucene.search.function.FieldValueFactorFunction.Modifier.${text.toUpperCase()}`,
  )
}
