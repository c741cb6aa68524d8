def greedy(s):
    return s.actions()[0]
