const keyword = { type: 'keyword' }
const boolean = { type: 'boolean' }
const integer = { type: 'integer' }
const long = { type: 'long' }
const date = { type: 'date', format: 'strict_date_time||epoch_millis' }
const name = { type: 'text', fields: { raw: keyword } }
/** Kept as it is, and not searched. */
const opaque = { type: 'object', enabled: false }

/** Mappings of the indices of the history; what they do not name is refused. */
export const HISTORY_MAPPINGS: object = {
  dynamic: 'strict',
  properties: {
    managed_index_meta_data: {
      properties: {
        index: name,
        index_uuid: keyword,
        policy_id: name,
        policy_seq_no: long,
        policy_primary_term: long,
        policy_completed: boolean,
        rolled_over: boolean,
        rolled_over_index_name: keyword,
        index_creation_date: date,
        transition_to: keyword,
        state: { properties: { name, start_time: date } },
        action: {
          properties: {
            name: keyword,
            start_time: date,
            index: integer,
            failed: boolean,
            consumed_retries: integer,
            last_retry_time: date,
            action_properties: {
              properties: {
                max_num_segments: integer,
                snapshot_name: name,
                shrink_action_properties: opaque,
              },
            },
          },
        },
        step: { properties: { name: keyword, start_time: date, step_status: keyword } },
        retry_info: { properties: { failed: boolean, consumed_retries: integer } },
        info: opaque,
        history_timestamp: date,
      },
    },
  },
}
