// The elements that the page uses; the index of the library brings three times as many.
import '@skyra/discord-components-core/discord-action-row.js';
import '@skyra/discord-components-core/discord-button.js';
import '@skyra/discord-components-core/discord-command.js';
import '@skyra/discord-components-core/discord-embed.js';
import '@skyra/discord-components-core/discord-embed-description.js';
import '@skyra/discord-components-core/discord-embed-field.js';
import '@skyra/discord-components-core/discord-embed-fields.js';
import '@skyra/discord-components-core/discord-embed-footer.js';
import '@skyra/discord-components-core/discord-header.js';
import '@skyra/discord-components-core/discord-message.js';
import '@skyra/discord-components-core/discord-messages.js';
import '@skyra/discord-components-core/discord-quote.js';
import '@skyra/discord-components-core/discord-subscript.js';

/**
 * Colours and measures of today's Discord laid over the library's, which are a few years old. A component's styles
 * sit in its shadow root, so they are added to the class before its first instance is drawn.
 */
const sheets = {
  'discord-message': `
    :host { padding: 2px 48px 2px 16px; font-size: 16px; line-height: 22px; color: #dbdee1; }
    :host(:hover) { background-color: #2e3035; }
    :host([ephemeral]) { background-color: rgb(88 101 242 / 5%); }
    .discord-author-avatar { margin-top: 2px; }
    .discord-message-content { line-height: 22px; padding-top: 0; min-width: 0; }
    .discord-message-timestamp { color: #949ba4; margin-left: 4px; }
    .discord-message-edited { color: #949ba4; }
    .discord-message-ephemeral { color: #949ba4; }
    .discord-message-ephemeral .discord-message-ephemeral-link { color: #00a8fc; }
    .discord-message-body-only-indent { font-size: 11px; width: 56px; flex: none; margin-left: 0; padding-right: 12px; box-sizing: border-box; text-align: right; white-space: nowrap; }
    :host .discord-message-markup { display: inline; white-space: normal; }
  `,
  'discord-embed': `
    :host { font-size: 14px; line-height: 18px; color: #dbdee1; margin: 4px 0; }
    :host .discord-embed-wrapper { background-color: #2b2d31; border: 0; max-width: 516px; }
    :host .discord-embed-wrapper .discord-embed-grid { grid-template-columns: minmax(0, 1fr) min-content; padding: 8px 16px 16px 12px; }
    :host .discord-left-border { background-color: #1e1f22; }
  `,
  'discord-embed-description':
    ':host { font-size: 14px; line-height: 18px; white-space: break-spaces; margin-top: 8px; }',
  // Its template has line breaks of its own.
  'discord-subscript': ':host { white-space: normal; }',
  'discord-embed-fields': ':host { margin-top: 8px; gap: 8px; }',
  'discord-embed-footer': ':host { font-size: 12px; line-height: 16px; color: #dbdee1; margin-top: 8px; }',
  'discord-button': `
    :host > *:first-child { box-sizing: border-box; gap: 6px; border-radius: 8px; padding: 2px 15px; height: 28px; min-height: 28px; font-size: 14px; }
    .secondary { background-color: #4e5058; }
    .secondary.hoverable:hover { background-color: #6d6f78; }
    .success { background-color: #248046; }
    .success.hoverable:hover { background-color: #1a6334; }
    .destructive { background-color: #da373c; }
    .destructive.hoverable:hover { background-color: #a12828; }
    a { color: #fff; }
  `,
  'discord-header': `
    :host { color: #f2f3f5; }
    :host > * { margin: 8px 0 4px; }
  `,
  'discord-quote': 'blockquote { padding: 0 8px 0 10px; }',
  'discord-verified-author-tag': '.discord-application-tag { border-radius: 4px; }',
};

/** Puts the styles above into the library's elements. */
export function applyTheme(): void {
  for (const [name, css] of Object.entries(sheets)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    const component = customElements.get(name) as { elementStyles: CSSStyleSheet[] } | undefined;
    component?.elementStyles.push(sheet);
  }
}
