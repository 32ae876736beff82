import type { TextField } from '../../../schema/field-type/text-field.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { plainField } from '../derived/derived-field.ts'
import type { QueryContext } from '../query-context.ts'

/**
 * A field whose words have positions; null: the index lacks it.
 * @throws {IllegalArgumentError} it is of another type, or keeps none
 */
export function intervalField(name: string, context: QueryContext): TextField | null {
  const field = plainField(name, 'intervals', context)
  if (field === null) return null
  const { type } = field
  if (type !== 'text' && type !== 'match_only_text' && type !== 'search_as_you_type')
    throw new IllegalArgumentError(
      `Can only use interval queries on text fields - not on [${name}] which is of type [${type}]`,
    )
  const text = field as TextField
  if (text.indexOptions !== 'positions')
    throw new IllegalArgumentError(
      `Cannot create intervals over field [${name}] with no positions indexed`,
    )
  return text
}
