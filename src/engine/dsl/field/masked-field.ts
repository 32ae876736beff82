import type { KeywordField } from '../../../schema/field-type/keyword-field.ts'
import type { TextField } from '../../../schema/field-type/text-field.ts'
import type { FieldType } from '../../../schema/field-type.ts'
import type { Mask } from '../../../task/access.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { derivedField } from '../derived/derived-field.ts'
import type { QueryContext } from '../query-context.ts'
import { mappedField } from './field-searches.ts'

/** A field of texts that is masked for the caller. */
export interface MaskedField {
  readonly field: MaskableField
  readonly mask: Mask
}

type MaskableField = Extract<FieldType, TextField | KeywordField>

/** The types whose values are shown masked; values of others are not shown where they are masked. */
const MASKABLE = new Set(['text', 'match_only_text', 'search_as_you_type', 'keyword', 'wildcard'])

/** The masked field of a name; null: there is none, or it has no texts. */
export function maskedField(
  name: string,
  { shown, maskOf }: Pick<QueryContext, 'shown' | 'maskOf'>,
): MaskedField | null {
  const mask = maskOf(name)
  const field = mask === null ? null : shown.field(name)
  return mask !== null && field !== null && isMaskable(field) ? { field, mask } : null
}

/** Whether the values of a field can be shown, as they are or masked. */
export function showsValues(field: FieldType, { maskOf }: Pick<QueryContext, 'maskOf'>): boolean {
  return isMaskable(field) || maskOf(field.name) === null
}

function isMaskable(field: FieldType): field is MaskableField {
  return MASKABLE.has(field.type)
}

/**
 * The field of a name whose values are gathered as they are, as `mappedField`.
 * @throws {IllegalArgumentError} it is masked or derived
 */
export function gatheredField(name: string, context: QueryContext): ReturnType<typeof mappedField> {
  if (derivedField(name, context) !== null)
    throw new IllegalArgumentError(
      `gathering values of the derived field [${name}] is not supported yet`,
    )
  const field = mappedField(name, context)
  if (field === null && maskedField(name, context) !== null)
    throw new IllegalArgumentError(
      `gathering values of the masked field [${name}] is not supported yet`,
    )
  return field
}
