def ensure(path, arguments):
    pass
