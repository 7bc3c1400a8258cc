"""Reports on a release: the statement that may be published with it, certificates, and checks."""
