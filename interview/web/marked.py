"""What a search found, as HTML with the matches marked."""

from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

from interview.cards.snippet import Snippet


def marked(snippet: Snippet) -> SafeString:
    """Its text, escaped, with the matches in <mark>."""
    text, pieces, at = snippet.text, [], 0
    for start, end in snippet.marks:
        pieces.append((text[at:start], text[start:end]))
        at = end
    head = format_html_join("", "{}<mark>{}</mark>", pieces)
    return format_html("{}{}", head, conditional_escape(text[at:]))
