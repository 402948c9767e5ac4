"""The steps that titles share: decisions of the operating rounds."""
