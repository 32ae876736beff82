import type { PutTemplate } from '../../../engine/api/templates.ts'
import { type Call, MASTER_PARAMS } from '../../endpoint.ts'
import { flag, type ParamReader, text } from '../../params.ts'

/** Parameters of all puts of templates. */
export const PUT_PARAMS: typeof MASTER_PARAMS & {
  readonly create: ParamReader<boolean>
  readonly cause: ParamReader<string>
} = { ...MASTER_PARAMS, create: flag, cause: text }

/** A put of a template, as it was asked for. */
export function putCall({
  params,
  part,
  body,
}: Pick<Call<typeof PUT_PARAMS>, 'params' | 'part' | 'body'>): PutTemplate {
  return {
    name: part('name'),
    body: body!,
    create: params.create ?? false,
    cause: params.cause ?? 'api',
  }
}
