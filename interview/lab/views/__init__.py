"""The lab's pages: fetch what one may see, ask the models, render."""
