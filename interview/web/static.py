"""Static files with hashed names, so that browsers may keep them for ever."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class ModuleManifestStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped base
    """Also rewrites `import` in JavaScript modules to the hashed names."""

    support_js_module_import_aggregation = True
