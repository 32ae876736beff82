/** What a configuration of notifications is, as it is kept and as it is shown. */

/** One address of a list. */
export interface Recipient {
  readonly recipient: string
}

/** The objects of the types, by the type's name, in wire form: they are kept and shown as they are. */
export interface TypeObjects {
  readonly topic_a: { readonly topic_arn: string; readonly role_arn?: string }
  readonly chat_a: { readonly url: string }
  readonly chat_b: { readonly url: string }
  readonly webhook: {
    readonly url: string
    /** Values are sealed where they are kept, and `***` where they are shown. */
    readonly header_params: Readonly<Record<string, string>>
    readonly method: 'POST' | 'PUT' | 'PATCH'
  }
  readonly smtp_account: {
    readonly host: string
    readonly port: number
    readonly method: 'none' | 'ssl' | 'start_tls'
    readonly from_address: string
  }
  readonly mail_a_account: {
    readonly region: string
    readonly role_arn?: string
    readonly from_address: string
  }
  readonly email_group: { readonly recipient_list: readonly Recipient[] }
  readonly email: {
    readonly email_account_id: string
    readonly recipient_list: readonly Recipient[]
    readonly email_group_id_list: readonly string[]
  }
}

/** The name of a type. */
export type ConfigType = keyof TypeObjects

/** A configuration: the object of its type stands under the type's name. */
export type Config = {
  readonly name: string
  readonly description: string
  readonly config_type: ConfigType
  readonly is_enabled: boolean
} & Partial<TypeObjects>

/** A configuration as a document. */
export interface ConfigDocument {
  readonly last_updated_time_ms: number
  readonly created_time_ms: number
  readonly config: Config
}

/** What is shown in place of a secret; given back by an update, it keeps the secret. */
export const HIDDEN_VALUE = '***'
