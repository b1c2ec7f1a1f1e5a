if a:
	b
	if c:
	        d
	else: e

# comment
    # deeper comment
if a: # comment

  # comment
  b

  c
if a:
    b \
  + c
    d
class A:

    x = 1

    def f(self):
        pass
    # trailing
x = [
1,
  2,
]; y = (
    3)
\
z = 4
def g():
    return (
1
)
if x:
    pass
