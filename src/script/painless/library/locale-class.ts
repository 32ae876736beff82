import { ScriptObject } from '../../value/script-value.ts'
import { staticClass } from './class-of.ts'
import type { ClassType } from './class-type.ts'

/** A `java.util.Locale`; texts are English everywhere. */
export class LocaleValue extends ScriptObject {
  readonly className: string = 'java.util.Locale'
  readonly #tag: string

  constructor(tag: string) {
    super()
    this.#tag = tag
  }

  override text(): string {
    return this.#tag
  }
}

/** `Locale`. */
export const LOCALE: ClassType = {
  ...staticClass('Locale', 'java.util.Locale'),
  isInstance: value => value instanceof LocaleValue,
  constants: Object.fromEntries(
    [
      ['ENGLISH', 'en'],
      ['ROOT', ''],
      ['UK', 'en_GB'],
      ['US', 'en_US'],
    ].map(([name, tag]) => [name!, { type: 'Locale', value: new LocaleValue(tag!) }]),
  ),
}
