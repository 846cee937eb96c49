#include <cstdio>

int main() {
    std::puts("ingle");
    return 0;
}
