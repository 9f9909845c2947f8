declare module 'discord-api-spec/zod' {
  import type { ZodMiniType } from 'zod/mini';

  export const MessageCreateRequestSchema: ZodMiniType;
  export const MessageEditRequestPartialSchema: ZodMiniType;
  export const CreateMessageInteractionCallbackRequestSchema: ZodMiniType;
  export const ApplicationCommandAutocompleteCallbackRequestSchema: ZodMiniType;
  export const IncomingWebhookUpdateForInteractionCallbackRequestPartialSchema: ZodMiniType;
  export const ApplicationCommandUpdateRequestSchema: ZodMiniType;
}
